import FoundationEssentials
import TillModel

/// One transaction of a ``MemoryLedger``: its own copy of the state.
final class MemoryTransaction {
    var state: MemoryState

    init(_ state: MemoryState) {
        self.state = state
    }
}

extension MemoryTransaction: LedgerReader {
    func queue(_ name: QueueName) -> QueueRecord? {
        state.queueKeys[MemoryQueue.Name(name)].flatMap(queue(key:))
    }

    func queue(key: Int64) -> QueueRecord? {
        state.queues[key]?.record
    }

    func transaction(_ id: UUID) -> TransactionRecord? {
        state.transactionKeys[id].flatMap(transaction(key:))
    }

    func transaction(key: Int64) -> TransactionRecord? {
        guard var record = state.transactions[key] else {
            return nil
        }
        if let original = record.original.flatMap({ state.transactions[$0.key] }) {
            record.original = OriginalRecord(key: original.key, id: original.id, createdAt: original.createdAt)
        }
        return record
    }

    func transactions(in queue: Int64, afterKey key: Int64, includeFinished: Bool, limit: Int) -> [TransactionRecord] {
        let keys = includeFinished ? state.queues[queue]?.keys : state.queues[queue]?.unfinishedKeys
        return records(keys?.drop(while: { $0 <= key }), limit: limit)
    }

    func transactions(in queue: Int64, changedAfter revision: UInt64, limit: Int) -> [TransactionRecord] {
        let changes = state.queues[queue]?.changes.drop(while: { $0.revision <= revision })
        return records(changes?.lazy.map(\.key), limit: limit)
    }

    func unfinishedTransactions(in queue: Int64, revisions: ClosedRange<UInt64>, limit: Int) -> [TransactionRecord] {
        let changes = state.queues[queue]?.unfinishedChanges.drop(while: { $0.revision < revisions.lowerBound })
        return records(changes?.lazy.prefix(while: { $0.revision <= revisions.upperBound }).map(\.key), limit: limit)
    }

    func entitlement(to productID: String, in queue: Int64) -> TransactionRecord? {
        let keys = state.queues[queue]?.entitlements.elements ?? []
        return keys.lazy.compactMap(transaction(key:)).first { $0.payment.productID.hasSameBytes(as: productID) }
    }

    func restorableTransactions(in queue: Int64, afterKey key: Int64, applicationUsername: String?, limit: Int)
        -> [TransactionRecord]
    {
        let keys = state.queues[queue]?.entitlements.drop(while: { $0 <= key }) ?? []
        let restorable = keys.lazy.compactMap(transaction(key:)).filter { record in
            guard let username = applicationUsername else {
                return record.finishedAt != nil
            }
            return record.finishedAt != nil && username.hasSameBytes(as: record.payment.applicationUsername)
        }
        return Array(restorable.prefix(max(0, limit)))
    }

    func unfinishedRestoredTransaction(ofOriginal key: Int64) -> TransactionRecord? {
        state.unfinishedRestored[key]?.elements.first.flatMap(transaction(key:))
    }

    private func records(_ keys: (some Sequence<Int64>)?, limit: Int) -> [TransactionRecord] {
        keys?.prefix(max(0, limit)).compactMap(transaction(key:)) ?? []
    }
}

extension MemoryTransaction {
    func charge(forTransaction key: Int64) -> ChargeRecord? {
        state.charges[key]
    }

    func dueCharges(at date: Date, limit: Int) -> [ChargeRecord] {
        let date = date.roundedToMilliseconds
        return state.dueCharges.elements.prefix(max(0, limit)).prefix { $0.date <= date }.compactMap {
            charge(forTransaction: $0.key)
        }
    }

    func nextChargeDue() -> Date? {
        state.dueCharges.elements.first?.date
    }

    func openCharges(for productID: String, in queue: Int64) -> [ChargeRecord] {
        let keys = state.queues[queue]?.unsettledCharges.elements ?? []
        return keys.compactMap(charge(forTransaction:)).filter { $0.request.productID.hasSameBytes(as: productID) }
    }

    func charges(afterKey key: Int64, limit: Int) -> [ChargeRecord] {
        state.chargeKeys.drop(while: { $0 <= key }).prefix(max(0, limit)).compactMap(charge(forTransaction:))
    }

    func restore(_ id: UUID) -> RestoreRecord? {
        state.restores[id]
    }

    func runningRestore(in queue: Int64, applicationUsername: String?) -> RestoreRecord? {
        runningRestores(limit: .max).first { restore in
            guard let username = restore.applicationUsername else {
                return restore.queue == queue && applicationUsername == nil
            }
            return restore.queue == queue && username.hasSameBytes(as: applicationUsername)
        }
    }

    func runningRestores(limit: Int) -> [RestoreRecord] {
        let running = state.restoreIDs.lazy.compactMap(restore(_:)).filter { $0.state == .running }
        return Array(running.sorted { $0.createdAt < $1.createdAt }.prefix(max(0, limit)))
    }

    func events(in queue: Int64, after revision: UInt64, limit: Int) -> [EventRecord] {
        let events = state.queues[queue]?.events ?? []
        return Array(events.drop { $0.revision <= revision }.prefix(max(0, limit)))
    }
}

extension String {
    /// Whether both are the same bytes, as databases compare, which is stricter than `==`.
    fileprivate func hasSameBytes(as other: String?) -> Bool {
        other.map { utf8.elementsEqual($0.utf8) } ?? false
    }
}
