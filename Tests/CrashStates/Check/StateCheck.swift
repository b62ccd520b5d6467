import Foundation
import GRDB
import Logging
package import TillEngine
package import TillInvariants
package import TillModel
import TillProviders
import TillReceipts
import TillSQLite

/// Opens a state directory as the daemon does at its start, and checks it against the answers that clients received.
package struct StateCheck: Sendable {
    /// The findings of a check, and how often each invariant was examined.
    package struct Outcome: Sendable {
        package var findings: [Finding] = []
        package var examined: [Invariant: Int] = [:]
    }

    /// The result of opening a state directory with the ledger's code.
    package struct Opening: Sendable {
        /// The books, or nil if the ledger's code refused the directory.
        fileprivate var books: Books?
        fileprivate var findings: [Finding] = []
    }

    package let queues: [QueueName]
    package let prices: [String: Set<Price>]
    package let hosted: [String: Content]
    private let logger = Logger(label: "crash-states") { _ in SwiftLogNoOpLogHandler() }

    package init(queues: [QueueName], prices: [String: Set<Price>], hosted: [String: Content]) {
        self.queues = queues
        self.prices = prices
        self.hosted = hosted
    }

    /// Opens and checks the directory. This changes the directory, as a start of the daemon does.
    package func check(_ directory: String, histories: [History], at moment: Moment = .any) async -> Outcome {
        check(await open(directory), histories: histories, at: moment)
    }

    /// Opens the directory. This changes the directory, as a start of the daemon does.
    package func open(_ directory: String) async -> Opening {
        var opening = Opening()
        do {
            opening.books = try await books(in: directory)
        } catch {
            opening.findings.append(.refused(Self.words(error)))
            return opening
        }
        do {
            opening.findings += try Self.damage(of: "\(directory)/ledger.sqlite").map(Finding.damaged)
        } catch {
            opening.findings.append(.damaged(Self.words(error)))
        }
        return opening
    }

    /// Checks an opened directory against the answers that clients received.
    package func check(_ opening: Opening, histories: [History], at moment: Moment = .any) -> Outcome {
        guard let books = opening.books else {
            return Outcome(findings: opening.findings)
        }
        let verdict = Verdict(histories: histories, books: books, at: moment)
        return Outcome(
            findings: verdict.violations.map(Finding.broken) + opening.findings,
            examined: verdict.examined
        )
    }

    private func books(in directory: String) async throws -> Books {
        let ledger = try SQLiteLedger(path: "\(directory)/ledger.sqlite", logger: logger)
        _ = try ReceiptAuthority(
            directory: "\(directory)/receipts",
            environment: .sandbox,
            appAppleID: nil,
            date: Date(),
            logger: logger
        )
        var books = try await Books(
            ledger: ledger,
            queues: queues,
            // The histories are not needed here: no recording has more events than a queue keeps.
            histories: [],
            provider: try SimulatedRecord.charges(in: directory),
            prices: prices
        )
        books.published = try PublishedContent.all(below: "\(directory)/content")
        books.hosted = hosted
        try await ledger.close()
        return books
    }

    /// The faults that SQLite's integrity check finds in the file.
    private static func damage(of path: String) throws -> [String] {
        let database = try DatabaseQueue(path: path, configuration: .guardingPages)
        let findings = try database.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") }
        try database.close()
        return findings == ["ok"] ? [] : findings
    }

    private static func words(_ error: any Error) -> String {
        guard let error = error as? TillError else {
            return "\(error)"
        }
        return error.message + (error.cause.map { " (\($0))" } ?? "")
    }
}
