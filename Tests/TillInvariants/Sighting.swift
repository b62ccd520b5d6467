package import FoundationEssentials
package import TillModel

/// A transaction as a process saw it, or as the ledger has it.
package struct Sighting: Hashable, Sendable, Codable {
    package var id: UUID
    package var revision: UInt64
    package var payment: PaymentNote
    package var isFinished: Bool
    package var transactionIdentifier: String?
    /// The identity of the purchase that was charged, when it was another.
    package var original: UUID?
    /// Whether some of it was refunded or revoked.
    package var isRevoked: Bool
    /// Whether it paid for a period of a subscription, which may be changed later.
    package var hasTerm: Bool
    private var stateNumber: Int
    private var moneyMovedNumber: Int?

    package init(_ transaction: Transaction) {
        id = transaction.id
        revision = transaction.revision
        payment = PaymentNote(transaction.payment)
        isFinished = transaction.isFinished
        transactionIdentifier = transaction.purchase?.transactionIdentifier
        original = transaction.original?.id
        isRevoked = transaction.revocation != nil
        hasTerm = transaction.subscription != nil
        stateNumber = transaction.state.rawValue
        moneyMovedNumber = transaction.error?.moneyMoved.rawValue
    }

    /// Nil for a number that is no state.
    package var state: TransactionState? {
        TransactionState(rawValue: stateNumber)
    }

    /// Whether money moved, for a transaction that failed.
    package var moneyMoved: MoneyMoved? {
        moneyMovedNumber.map { MoneyMoved(rawValue: $0) ?? .unknown }
    }

    /// What it says apart from the payment, for messages.
    package var summary: String {
        let state = state.map { "\($0)" } ?? "state \(stateNumber)"
        return "\(id.text) \(state)\(isFinished ? ", finished," : "") at revision \(revision)"
    }
}
