import ArgumentParser
import Foundation
import TillDaemon
import TillModel
import TillOutput

struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check a stopped daemon's state for damage.",
        discussion: """
            This command reads the ledger's pages, the audit log, every receipt's signature and the provider's record. \
            Of a ledger in a database it reads the rows. It changes nothing.

            Exit status: 0 no damage, 1 damage, 65 a root certificate or the address cannot be used, 73 the state directory \
            or the database cannot be used, 74 the output cannot be written, 75 PostgreSQL cannot be reached.
            """,
        aliases: ["fsck"]
    )

    @Option(help: .init("Read the state in this directory.", valueName: "dir"))
    var state: String

    @Option(help: .init("Read the ledger in this database instead.", valueName: "address"))
    var ledger: String?

    @Option(
        help: .init(
            "Accept receipts of this root certificate (default: the directory's own).",
            valueName: "file"
        )
    )
    var root: [String] = []

    @Flag(help: "Print one JSON object for each finding and part.")
    var json = false

    func run() async throws {
        let isIntact: Bool
        do {
            isIntact = try await StateCheck.run(
                stateDirectory: state,
                ledger: ledger,
                rootFiles: root,
                report: CheckPrinter(json: json).print
            )
        } catch let error as TillError {
            throw Failure(error)
        }
        if !isIntact {
            throw ExitCode(1)
        }
    }
}

/// Prints the events of a check when they occur.
struct CheckPrinter {
    let json: Bool
    private let line = ProgressLine()

    func print(_ event: StateCheck.Event) throws {
        if case .progress = event {
            return line.show(Self.text(event))
        }
        line.show("")
        do {
            try StandardOutput.write(json ? try event.json.text() : Self.text(event))
        } catch let error as TillError {
            throw Failure(output: error)
        }
    }

    private static func text(_ event: StateCheck.Event) -> String {
        switch event {
        case .finding(let part, let sentence, _): "\(part.rawValue): \(sentence)"
        case .progress(let part, let count): "\(part.rawValue): \(count) \(part.unit) read"
        case .end(let part, let count, let findings):
            "\(part.rawValue): \(count) \(part.unit) read, \(findings == 0 ? "no damage" : "\(findings) DAMAGED")"
        case .unread(let part):
            "\(part.rawValue): NOT READ, because the ledger is damaged"
        }
    }
}

/// A line on standard error that changes while the reader waits; only on a terminal.
struct ProgressLine {
    private let isOnTerminal = isatty(STDERR_FILENO) == 1

    func show(_ text: String) {
        if isOnTerminal {
            try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[K\(text)".utf8))
        }
    }
}

extension StateCheck.Part {
    /// The unit in which the part is counted.
    fileprivate var unit: String {
        switch self {
        case .ledger: "pages"
        case .transactions: "transactions"
        case .audit: "entries"
        case .receipts: "receipts"
        case .provider: "charges"
        }
    }
}

extension StateCheck.Event {
    /// The event as one JSON object.
    fileprivate var json: JSONObject {
        switch self {
        case .finding(let part, let sentence, let transactionID):
            ["part": part.rawValue, "finding": sentence, "transaction_id": transactionID]
        case .progress(let part, let count):
            ["part": part.rawValue, "count": count]
        case .end(let part, let count, let findings):
            ["part": part.rawValue, "count": count, "findings": findings]
        case .unread(let part):
            ["part": part.rawValue, "is_read": false]
        }
    }
}
