import FoundationEssentials
package import TillEngine
package import TillModel

extension Books {
    /// The number of rows that are read at a time.
    private static let page = 1000

    /// Reads everything that the checks need from a ledger that does not change in the meantime.
    ///
    /// - Parameters:
    ///   - histories: The histories of processes. They name dropped restores, which the ledger finds only by name.
    ///   - charge: The key after which charges are read.
    package init(
        ledger: some Ledger,
        queues names: [QueueName],
        histories: [History],
        afterCharge charge: Int64 = 0,
        provider: [ProviderCharge],
        prices: [String: Set<Price>]
    ) async throws {
        var queues: [Queue] = []
        for name in names {
            let ended = Set(histories.filter { $0.queue == name }.flatMap(\.endedRestores))
            var queue = try await ledger.read { try Self.queue(name, endedRestores: ended, $0) }
            queue.numbering = ledger.numbering
            queues.append(queue)
        }
        let page = Self.page
        self.init(
            queues: queues,
            charges: try await ledger.read { try Self.charges(after: charge, $0) },
            runningRestores: try await ledger.read { try $0.runningRestores(limit: page) },
            provider: provider,
            prices: prices
        )
        audit = try await ledger.read(Self.audit)
        settings = try await ledger.read { try $0.settings() }
        let revoked = queues.flatMap(\.transactions).filter { $0.state == .purchased }.map(\.key)
        refunds = try await ledger.read { ledger in
            try Dictionary(uniqueKeysWithValues: revoked.map { ($0, try ledger.refunds(ofTransaction: $0)) })
        }
    }

    private static func audit(_ ledger: any LedgerReader) throws -> [AuditLink] {
        var links: [AuditLink] = []
        while true {
            let found = try ledger.audit(after: links.last?.sequence ?? 0, limit: page)
            links += found
            if found.count < page {
                return links
            }
        }
    }

    private static func queue(
        _ name: QueueName,
        endedRestores: Set<UUID>,
        _ ledger: any LedgerReader
    ) throws -> Queue {
        guard let record = try ledger.queue(name) else {
            return Queue(name: name)
        }
        var transactions: [TransactionRecord] = []
        while true {
            let found = try ledger.transactions(
                in: record.key,
                changedAfter: transactions.last?.revision ?? 0,
                limit: page
            )
            transactions += found
            if found.count < page {
                break
            }
        }
        transactions.sort { $0.key < $1.key }
        let events = try ledger.events(in: record.key, after: 0, limit: 10 * page).compactMap(RestoreEnd.init)
        let restores = try events.compactMap { try ledger.restore($0.restoreID) }
        return Queue(
            name: name,
            transactions: transactions,
            events: events,
            restores: restores,
            droppedRestores: try endedRestores.subtracting(events.map(\.restoreID)).compactMap(ledger.restore),
            downloads: try ledger.downloads(in: record.key, afterKey: 0, limit: page),
            subscriptions: try ledger.subscriptions(in: record.key, afterKey: 0, limit: page)
        )
    }

    private static func charges(after key: Int64, _ ledger: any LedgerReader) throws -> [ChargeRecord] {
        var charges: [ChargeRecord] = []
        while true {
            let found = try ledger.charges(afterKey: charges.last?.key ?? key, limit: page)
            charges += found
            if found.count < page {
                return charges
            }
        }
    }
}
