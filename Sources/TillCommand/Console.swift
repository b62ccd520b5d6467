/// What a command needs of the process that it runs in.
package struct Console: Sendable {
    package var environment: [String: String]
    /// Writes a line to the standard output, at once.
    package var print: @Sendable (String) throws -> Void
    /// Writes a line to the standard error.
    package var complain: @Sendable (String) -> Void
    /// Returns when the user wants the command to end, with what then is its exit status.
    package var waitForInterruption: @Sendable () async -> ExitStatus
    /// Returns after so long, or throws when the task is cancelled.
    package var sleep: @Sendable (Duration) async throws -> Void
    /// Writes to the terminal that the standard error is, as it is and without a line feed; nil when it is none.
    package var show: (@Sendable (String) -> Void)?
    /// Reads a line that is typed from now on at the terminal that the standard input is; nil when it is none.
    ///
    /// The line is nil at the end of the input, and when the task is cancelled.
    package var readLine: (@Sendable () async -> String?)?

    package init(
        environment: [String: String],
        print: @escaping @Sendable (String) throws -> Void,
        complain: @escaping @Sendable (String) -> Void,
        waitForInterruption: @escaping @Sendable () async -> ExitStatus,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        show: (@Sendable (String) -> Void)? = nil,
        readLine: (@Sendable () async -> String?)? = nil
    ) {
        self.environment = environment
        self.print = print
        self.complain = complain
        self.waitForInterruption = waitForInterruption
        self.sleep = sleep
        self.show = show
        self.readLine = readLine
    }

    /// Says something to people, beside the output.
    func notice(_ message: String) {
        complain("till: \(message.printable)")
    }

    /// Prints one object: as JSON in a line, or as text.
    func print(_ output: some Output, asJSON: Bool) throws {
        guard !asJSON else {
            return try print(output.json())
        }
        try output.lines.forEach { try print($0.printable) }
    }
}

extension Console {
    /// Does something until it ends or the user wants the command to end.
    ///
    /// - Returns: Nil when it ended by itself, else the exit status of what was interrupted.
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
