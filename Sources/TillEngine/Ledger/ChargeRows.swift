package import FoundationEssentials

package protocol ChargeReader {
    func charge(key: Int64) throws -> ChargeRecord?
    func charge(forTransaction key: Int64) throws -> ChargeRecord?
    /// Open charges that are due at `date` or before, the longest due first.
    func dueCharges(at date: Date, limit: Int) throws -> [ChargeRecord]
    /// Open charges that are due only after `date`, the latest due first.
    func charges(dueAfter date: Date, limit: Int) throws -> [ChargeRecord]
    /// The queue's open and waiting charges of the exclusive group, the open one first, the others by key.
    func unsettledCharges(exclusiveGroup: String, in queue: Int64, limit: Int) throws -> [ChargeRecord]
    /// The oldest charge for a renewal of the subscription whose outcome is unknown.
    func chargeInReview(ofSubscription key: Int64) throws -> ChargeRecord?
    /// All charges with a key above `key`, by key, for comparing them with the provider's record.
    func charges(afterKey key: Int64, limit: Int) throws -> [ChargeRecord]
}

package protocol ChargeWriter {
    /// Inserts the charge under a new key, above all keys before, and returns the key.
    func insert(_ charge: ChargeRecord) throws -> Int64
    /// Replaces what may change of a charge: transaction, amounts and currency, state, attempts, dates, reference.
    func update(_ charge: ChargeRecord) throws
}
