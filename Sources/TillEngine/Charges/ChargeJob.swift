/// A charge to be sent.
struct ChargeJob: Sendable {
    var charge: ChargeRecord
    /// The transaction that it is for, as that was stored with it. Nil for a renewal, and for a charge that was found in
    /// the ledger.
    var transaction: TransactionRecord?
}
