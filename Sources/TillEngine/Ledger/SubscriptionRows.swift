package import FoundationEssentials

package protocol SubscriptionReader {
    func subscription(key: Int64) throws -> SubscriptionRecord?
    func subscription(toGroup groupID: String, in queue: Int64) throws -> SubscriptionRecord?
    /// The queue's subscriptions with a key above `key`, by key.
    func subscriptions(in queue: Int64, afterKey key: Int64, limit: Int) throws -> [SubscriptionRecord]
    /// Subscriptions that are due at `date` or before, the longest due first.
    func dueSubscriptions(at date: Date, limit: Int) throws -> [SubscriptionRecord]
    /// Subscriptions of all queues whose account was asked to agree to a price and has not answered, with a key above
    /// `key`, by key: of one account, or of any when nil.
    func subscriptionsAwaitingConsent(account: String?, afterKey key: Int64, limit: Int) throws -> [SubscriptionRecord]
}

package protocol SubscriptionWriter {
    /// Inserts the subscription under a new key, above all keys before, and returns the key.
    func insert(_ subscription: SubscriptionRecord) throws -> Int64
    /// Replaces all but the key, the queue, the group and the original.
    func update(_ subscription: SubscriptionRecord) throws
}
