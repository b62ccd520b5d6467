package import FoundationEssentials

package protocol RefundReader {
    func refund(_ id: UUID) throws -> RefundRecord?
    /// All refunds of the transaction, the oldest first.
    func refunds(ofTransaction key: Int64) throws -> [RefundRecord]
    /// Open refunds that are due at `date` or before, the longest due first.
    func dueRefunds(at date: Date, limit: Int) throws -> [RefundRecord]
    /// Open refunds that are due only after `date`, the latest due first.
    func refunds(dueAfter date: Date, limit: Int) throws -> [RefundRecord]
}

package protocol RefundWriter {
    func insert(_ refund: RefundRecord) throws
    /// Replaces what may change of a refund: state, attempts, due date, reference.
    func update(_ refund: RefundRecord) throws
}
