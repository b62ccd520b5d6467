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

    package let queues: [QueueName]
    package let prices: [String: Price]
    package let hosted: [String: Content]
    private let logger = Logger(label: "crash-states") { _ in SwiftLogNoOpLogHandler() }

    package init(queues: [QueueName], prices: [String: Price], hosted: [String: Content]) {
        self.queues = queues
        self.prices = prices
        self.hosted = hosted
    }

    /// Checks the directory, which changes it as a start changes it.
    package func check(_ directory: String, histories: [History], at moment: Moment = .any) async -> Outcome {
        let verdict: Verdict
        do {
            verdict = Verdict(histories: histories, books: try await books(in: directory), at: moment)
        } catch {
            return Outcome(findings: [.refused(Self.words(error))])
        }
        var outcome = Outcome(findings: verdict.violations.map(Finding.broken), examined: verdict.examined)
        do {
            outcome.findings += try Self.damage(of: "\(directory)/ledger.sqlite").map(Finding.damaged)
        } catch {
            outcome.findings.append(.damaged(Self.words(error)))
        }
        return outcome
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
        let database = try DatabaseQueue(path: path)
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
