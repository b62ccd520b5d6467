import FoundationEssentials
import TillModel

/// The part of a purchase that a refund takes back.
package struct RefundDecision: Equatable, Sendable {
    /// The rows that it depends on.
    struct Facts {
        var transaction: TransactionRecord
        /// The charge that paid for it; nil when it cost nothing.
        var charge: ChargeRecord?
        /// All refunds of the transaction so far.
        var refunds: [RefundRecord] = []

        /// The part of the quantity that no refund holds; a failed refund holds nothing.
        var remaining: Int {
            max(0, transaction.payment.quantity - held.reduce(0) { $0 + $1.quantity })
        }

        /// Whether it is a restored copy, or a repeated purchase of a product that was owned already. A renewal has an
        /// original too, but it is paid for, or entitles the account to its period until it is revoked.
        var isRepetition: Bool {
            transaction.state == .restored
                || transaction.original != nil && !transaction.isEntitlement
                    && (transaction.revocation == nil || transaction.term == nil) && charge?.state != .succeeded
        }

        var held: [RefundRecord] {
            refunds.filter { $0.state != .failed }
        }
    }

    package var quantity: Int
    /// Minor units; 0 when no money is given back.
    package var amount: Int64
    package var currency: String

    static func decide(_ order: RefundOrder, _ facts: Facts) -> Result<RefundDecision, TillError> {
        if let error = refusal(facts) {
            return .failure(error)
        }
        let remaining = facts.remaining
        let quantity = order.quantity == 0 ? remaining : order.quantity
        guard quantity > 0, quantity <= remaining else {
            return .failure(nothingLeft(facts.transaction, remaining: remaining))
        }
        guard let charge = facts.charge, charge.state == .succeeded, charge.request.amount > 0 else {
            return .success(RefundDecision(quantity: quantity, amount: 0, currency: Price.noCurrency))
        }
        let amount = order.keepsMoney ? 0 : amount(of: quantity, charge, facts)
        let currency = order.keepsMoney || amount > 0 ? charge.request.currency : Price.noCurrency
        return .success(RefundDecision(quantity: quantity, amount: amount, currency: currency))
    }

    private static func refusal(_ facts: Facts) -> TillError? {
        let transaction = facts.transaction
        if facts.isRepetition, let original = transaction.original {
            return TillError(
                .failedPrecondition,
                "\(transaction.id.text) only repeats a purchase; refund the original, \(original.id.text)."
            )
        }
        guard transaction.state == .purchased else {
            return TillError(
                .failedPrecondition,
                "\(transaction.id.text) is \(transaction.state); only a purchased transaction can be refunded."
            )
        }
        return nil
    }

    private static func nothingLeft(_ transaction: TransactionRecord, remaining: Int) -> TillError {
        let left = remaining > 0 ? "only \(remaining) of \(transaction.payment.quantity)" : "nothing"
        return TillError(.failedPrecondition, "The transaction \(transaction.id.text) has \(left) left to refund.")
    }

    /// The price of this part. All parts together give exactly the amount paid, and a part never more than is left of
    /// it.
    private static func amount(of quantity: Int, _ charge: ChargeRecord, _ facts: Facts) -> Int64 {
        let taken = facts.transaction.payment.quantity - facts.remaining
        let price = share(taken + quantity, charge, facts) - share(taken, charge, facts)
        let left = charge.request.amount - facts.held.reduce(0) { $0 + $1.amount }
        return max(0, min(price, left))
    }

    private static func share(_ count: Int, _ charge: ChargeRecord, _ facts: Facts) -> Int64 {
        let (product, isOverflow) = charge.request.amount.multipliedReportingOverflow(by: Int64(count))
        return isOverflow ? charge.request.amount : product / Int64(max(1, facts.transaction.payment.quantity))
    }
}
