import TillModel
import TillOutput

/// The environment, output and input of the process that runs the command.
package struct Console: Sendable {
    package var environment: [String: String]
    /// Writes a line to the standard output without a delay.
    package var print: @Sendable (String) throws -> Void
    /// Writes a line to the standard error.
    package var complain: @Sendable (String) -> Void
    /// Returns when the user ends the command, with the exit status.
    package var waitForInterruption: @Sendable () async -> ExitStatus
    /// Returns after the duration, or throws when the task is cancelled.
    package var sleep: @Sendable (Duration) async throws -> Void
    /// Writes text without a line feed to the standard error. Nil unless that is a terminal.
    package var show: (@Sendable (String) -> Void)?
    /// Reads the next line that the user types at the standard input. Nil unless that is a terminal.
    ///
    /// The line is nil at the end of the input, and when the task is cancelled.
    package var readLine: (@Sendable () async -> String?)?
    /// Shows views. Nil unless the standard input and output are terminals.
    package var screen: Screen?
    /// Opens a page in the user's browser. Nil if that is not possible.
    package var openPage: (@Sendable (String) throws -> Void)?
    /// Runs a program with its arguments, and waits for its end. Nil if that is not possible.
    package var runProgram: (@Sendable ([String]) throws -> ProgramResult)?

    package init(
        environment: [String: String],
        print: @escaping @Sendable (String) throws -> Void,
        complain: @escaping @Sendable (String) -> Void,
        waitForInterruption: @escaping @Sendable () async -> ExitStatus,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        show: (@Sendable (String) -> Void)? = nil,
        readLine: (@Sendable () async -> String?)? = nil,
        screen: Screen? = nil,
        openPage: (@Sendable (String) throws -> Void)? = nil,
        runProgram: (@Sendable ([String]) throws -> ProgramResult)? = nil
    ) {
        self.environment = environment
        self.print = print
        self.complain = complain
        self.waitForInterruption = waitForInterruption
        self.sleep = sleep
        self.show = show
        self.readLine = readLine
        self.screen = screen
        self.openPage = openPage
        self.runProgram = runProgram
    }

    /// Tells the user something on the standard error.
    func notice(_ message: String) {
        complain("till: \(message.printable)")
    }

    /// Opens a page in the user's browser, or tells the user why that failed.
    ///
    /// - Parameter open: Opens it; nil to leave that to the user.
    func open(page address: String, with open: (@Sendable (String) throws -> Void)?) {
        // The program that opens pages opens files too.
        guard address.hasPrefix("https://") || address.hasPrefix("http://") else {
            return
        }
        hand(address, to: open)
    }

    /// Does the same with a page in a file that this command has written.
    ///
    /// - Parameter path: An absolute path.
    func open(file path: String) {
        hand("file://\(path)", to: openPage)
    }

    private func hand(_ address: String, to open: (@Sendable (String) throws -> Void)?) {
        do {
            try open?(address)
        } catch {
            notice("The page was not opened: \(error)")
        }
    }

    /// Runs `body` until it ends or the user ends the command.
    ///
    /// - Returns: The exit status of an interruption, or nil if `body` ended first.
    func untilInterrupted(_ body: @escaping @Sendable () async throws -> Void) async throws -> ExitStatus? {
        try await withThrowingTaskGroup(of: ExitStatus?.self) { group in
            group.addTask { await waitForInterruption() }
            group.addTask {
                try await body()
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}

/// How another program ended.
package struct ProgramResult: Hashable, Sendable {
    /// Its exit status, or the number of the signal that ended it.
    package var status: Int32
    /// What it wrote to its standard output and error.
    package var output: String

    package init(status: Int32, output: String) {
        self.status = status
        self.output = output
    }
}

extension Console {
    /// Prints an output as text, or as JSON in one line.
    func print(_ output: some Output, asJSON: Bool) throws {
        guard !asJSON else {
            return try print(output.json.text())
        }
        try output.lines.forEach { try print($0.printable) }
    }

    /// Prints the elements of a list as they arrive.
    func print<Element>(
        list: some AsyncSequence<Element, TillError>,
        asJSON: Bool,
        _ line: (Element) -> some Output
    ) async throws {
        for try await element in list {
            try print(line(element), asJSON: asJSON)
        }
    }

    /// Prints a table, or nothing if it has no rows. As JSON, each row is an object.
    func print<Row: TableRow>(table rows: [Row], asJSON: Bool) throws {
        guard !asJSON else {
            return try rows.forEach { try print($0, asJSON: true) }
        }
        guard !rows.isEmpty else {
            return
        }
        try Table(headings: Row.headings, rows: rows.map(\.columns)).lines.forEach(print)
    }

    /// Prints a list as a table. As JSON, each element is printed as it arrives.
    func print<Element, Row: TableRow>(
        table list: some AsyncSequence<Element, TillError>,
        asJSON: Bool,
        _ row: (Element) -> Row
    ) async throws {
        guard !asJSON else {
            return try await print(list: list, asJSON: true, row)
        }
        var rows: [Row] = []
        for try await element in list {
            rows.append(row(element))
        }
        try print(table: rows, asJSON: false)
    }
}

/// The messages about a lost and restored connection. The first connection is not news.
struct ConnectionNotices {
    /// The daemon as the messages name it.
    let daemon: String
    private var isLost = false

    init(daemon: String) {
        self.daemon = daemon
    }

    mutating func notice(isConnected: Bool, _ console: Console) {
        if isLost == isConnected {
            console.notice(isConnected ? "Reconnected." : "The connection was lost; waiting for \(daemon).")
        }
        isLost = !isConnected
    }
}
