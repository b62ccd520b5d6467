import Logging
import TillModel

/// What a commit did to transactions, to be logged once it is durable. Each line has the transaction's identity, which the
/// client chose and the provider gets, so that one search finds all that happened to a payment.
final class CommitLog {
    /// The least severe level at which these lines are logged.
    static let level = Logger.Level.info

    struct Line: Sendable {
        var message: Logger.Message
        var metadata: Logger.Metadata
    }

    private(set) var lines: [Line] = []

    /// Nil if the logger would not log the lines.
    init?(for logger: Logger) {
        guard logger.logLevel <= Self.level else {
            return nil
        }
    }

    /// Adds a transaction as it was stored, without anything that the client wrote into its payment.
    func add(_ transaction: TransactionRecord, _ ledger: any LedgerReader) throws {
        let name = try ledger.queue(key: transaction.queue)?.name
        let message: Logger.Message = transaction.finishedAt == nil ? "Transaction stored" : "Transaction finished"
        lines.append(
            Line(
                message: message,
                metadata: [
                    "transaction.id": "\(transaction.id.text)",
                    "transaction.state": "\(transaction.state)",
                    "application": "\(name?.application ?? "")",
                    "account": "\(name?.account ?? "")",
                ]
            )
        )
    }

    /// Adds an entry of a transaction's history.
    func add(_ entry: HistoryRecord, _ ledger: any LedgerReader) throws {
        let id = try ledger.transaction(key: entry.transactionKey)?.id
        lines.append(
            Line(
                message: entry.kind == .providerCall ? "Provider answered" : "Transaction changed",
                metadata: [
                    "transaction.id": "\(id?.text ?? "")", "actor": "\(entry.actor)", "detail": "\(entry.detail)",
                ]
            )
        )
    }
}
