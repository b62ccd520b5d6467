package import ProcessTesting
import TillEngine
package import TillInvariants
import TillProviders
import TillSQLite

extension Site {
    /// The books after the daemon has stopped, or while nothing happens.
    ///
    /// - Parameters:
    ///   - histories: What the applications' processes saw.
    ///   - hosted: What the store hosts, by identifier.
    ///   - mark: Only the charges since then.
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
