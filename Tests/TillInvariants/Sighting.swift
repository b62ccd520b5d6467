package import FoundationEssentials
package import TillModel

/// A transaction as a process saw it, or as the ledger has it.
package struct Sighting: Hashable, Sendable, Codable {
    package var id: UUID
    package var revision: UInt64
    package var payment: PaymentNote
    package var isFinished: Bool
    package var transactionIdentifier: String?
    /// The identity of the charged purchase, if it is another transaction.
    package var original: UUID?
    /// Whether all or a part was refunded or revoked.
    package var isRevoked: Bool
    /// Whether the transaction paid for a period of a subscription, which may change later.
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

    /// The state; nil for an unknown number.
    package var state: TransactionState? {
        TransactionState(rawValue: stateNumber)
    }

    /// Whether money moved, for a failed transaction.
    package var moneyMoved: MoneyMoved? {
        moneyMovedNumber.map { MoneyMoved(rawValue: $0) ?? .unknown }
    }

    /// A description without the payment, for messages.
    package var summary: String {
        let state = state.map { "\($0)" } ?? "state \(stateNumber)"
        return "\(id.text) \(state)\(isFinished ? ", finished," : "") at revision \(revision)"
    }
}
