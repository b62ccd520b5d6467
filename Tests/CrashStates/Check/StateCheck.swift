import Foundation
import GRDB
import Logging
package import TillEngine
package import TillInvariants
package import TillModel
import TillProviders
import TillReceipts
import TillSQLite

/// Opens a state directory as the daemon does when it starts, and holds it against what clients were answered.
package struct StateCheck: Sendable {
    /// What a check found, and how much there was to check.
    package struct Outcome: Sendable {
        package var findings: [Finding] = []
        package var examined: [Invariant: Int] = [:]
    }

    /// What the ledger's code made of a state directory.
    package struct Opening: Sendable {
        /// Nil when it refused the directory.
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

    /// Checks the directory, which changes it as a start changes it.
    package func check(_ directory: String, histories: [History], at moment: Moment = .any) async -> Outcome {
        check(await open(directory), histories: histories, at: moment)
    }

    /// Opens the directory, which changes it as a start changes it.
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

    /// Holds what was opened against what clients were answered.
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
            // Which need not be known: no recording has as many events as a queue keeps.
            histories: [],
            provider: try SimulatedRecord.charges(in: directory),
            prices: prices
        )
        books.published = try PublishedContent.all(below: "\(directory)/content")
        books.hosted = hosted
        try await ledger.close()
        return books
    }

    /// What SQLite says is wrong with the whole file.
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
