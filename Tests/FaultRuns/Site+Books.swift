package import ProcessTesting
import TillEngine
package import TillInvariants
import TillProviders
import TillSQLite

extension Site {
    /// Reads the books after the daemon has stopped, or while it is idle.
    ///
    /// - Parameters:
    ///   - histories: The histories of the applications' processes.
    ///   - hosted: The hosted content, by identifier.
    ///   - mark: The position after which charges are read.
    package func books(
        _ applications: [String],
        histories: [History],
        hosted: [String: Content] = [:],
        since mark: BooksMark = BooksMark()
    ) async throws -> Books {
        let ledger = try SQLiteLedger.openReadOnly(path: ledger)
        let provider = try SimulatedRecord.charges(in: state)
        var books = try await Books(
            ledger: ledger,
            queues: applications.map { QueueName(application: $0, account: Self.account) },
            histories: histories,
            afterCharge: mark.charge,
            provider: Array(provider.dropFirst(mark.providerCharges)),
            prices: TestStore.prices
        )
        books.published = try PublishedContent.all(below: "\(state)/content")
        books.hosted = hosted
        try await ledger.close()
        return books
    }
}
