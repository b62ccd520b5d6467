import FoundationEssentials
import TillEngine
import TillModel

extension MemoryTransaction: SubscriptionReader {
    func subscription(key: Int64) -> SubscriptionRecord? {
        guard var record = state.subscriptions[key] else {
            return nil
        }
        record.original = original(record.original.key) ?? record.original
        return record
    }

    func subscription(toGroup groupID: String, in queue: Int64) -> SubscriptionRecord? {
        subscriptions(in: queue, afterKey: 0, limit: .max).first { $0.groupID.hasSameBytes(as: groupID) }
    }

    func subscriptions(in queue: Int64, afterKey key: Int64, limit: Int) -> [SubscriptionRecord] {
        let keys = state.queues[queue]?.subscriptions.drop(while: { $0 <= key }) ?? []
        return keys.prefix(max(0, limit)).compactMap(subscription(key:))
    }

    func dueSubscriptions(at date: Date, limit: Int) -> [SubscriptionRecord] {
        state.dueSubscriptions.keys(at: date, limit: limit).compactMap(subscription(key:))
    }

    func subscriptionsAwaitingConsent(account: String?, afterKey key: Int64, limit: Int) -> [SubscriptionRecord] {
        let waiting = state.subscriptions.values.filter { record in
            record.key > key && record.priceConsent == .pending && isQueue(record.queue, ofAccount: account)
        }
        return waiting.map(\.key).sorted().prefix(max(0, limit)).compactMap(subscription(key:))
    }
}

extension MemoryTransaction: SubscriptionWriter {
    func insert(_ subscription: SubscriptionRecord) throws -> Int64 {
        try requireQueue(subscription.queue)
        try requireTransaction(subscription.original.key)
        try requireTransaction(subscription.latestKey)
        guard self.subscription(toGroup: subscription.groupID, in: subscription.queue) == nil else {
            throw TillError(
                .alreadyExists,
                "Queue \(subscription.queue) has a subscription to group \(subscription.groupID) already."
            )
        }
        var record = subscription.inMilliseconds
        record.key = (state.subscriptions.keys.max() ?? 0) + 1
        state.index(record)
        return record.key
    }

    func update(_ subscription: SubscriptionRecord) throws {
        guard let old = self.subscription(key: subscription.key) else {
            throw TillError(.notFound, "The ledger has no subscription \(subscription.key).")
        }
        try requireTransaction(subscription.latestKey)
        var record = subscription.inMilliseconds
        record.queue = old.queue
        record.groupID = old.groupID
        record.original = old.original
        state.unindex(old)
        state.index(record)
    }
}

extension SubscriptionRecord {
    /// The record as databases give it back, with dates in milliseconds.
    fileprivate var inMilliseconds: SubscriptionRecord {
        var record = self
        record.periodStart = periodStart.roundedToMilliseconds
        record.periodEnd = periodEnd.roundedToMilliseconds
        record.recentStart = recentStart?.roundedToMilliseconds
        record.graceEnd = graceEnd?.roundedToMilliseconds
        record.retryEnd = retryEnd?.roundedToMilliseconds
        record.dueAt = dueAt?.roundedToMilliseconds
        return record
    }
}
