import FoundationEssentials
import TillModel

/// What a refund or dispute in the provider's record changes in the ledger.
///
/// The provider's record is read each time, and deciding about the same state again changes nothing. So the ledger ends
/// the same however often, how late and in which order the news arrives.
enum ReversalStep: Equatable {
    case none
    /// Write it into the transaction's history, once.
    case note(String)
    /// Store a refund that Till did not ask for.
    case add(quantity: Int, RefundRecord.State)
    /// Store how a known refund ended.
    case settle(RefundRecord, RefundRecord.State)
    /// A refund failed after it had succeeded: an operator decides whether the purchase stays revoked.
    case review(RefundRecord)

    static func decide(_ reversal: ProviderReversal, _ facts: RefundDecision.Facts) -> ReversalStep {
        guard let charge = facts.charge, charge.state == .succeeded else {
            return .none
        }
        let known = facts.refunds.first { $0.is(reversal) }
        guard charge.request.currency == reversal.currency else {
            return .note("\(reversal.text), in \(reversal.currency), needs an operator")
        }
        return switch reversal.kind {
        case .refund: refund(reversal, known, charge, facts)
        case .dispute: dispute(reversal, known, facts)
        }
    }

    private static func refund(
        _ reversal: ProviderReversal,
        _ known: RefundRecord?,
        _ charge: ChargeRecord,
        _ facts: RefundDecision.Facts
    ) -> ReversalStep {
        switch (reversal.status, known?.state) {
        case (.succeeded, nil):
            let returned = facts.held.reduce(reversal.amount) { $0 + $1.amount }
            return .add(quantity: returned >= charge.request.amount ? facts.remaining : 0, .succeeded)
        case (.succeeded, .needsReview), (.succeeded, .failed):
            return settle(known, .succeeded)
        case (.failed, .succeeded):
            return known.map(ReversalStep.review) ?? .none
        case (.failed, .needsReview) where known?.reference == nil:
            return settle(known, .failed)
        case (.pending, _), (.withheld, _), (.succeeded, _), (.failed, _):
            // A job asks about an open refund.
            return .none
        }
    }

    private static func dispute(
        _ reversal: ProviderReversal,
        _ known: RefundRecord?,
        _ facts: RefundDecision.Facts
    ) -> ReversalStep {
        switch (reversal.status, known?.state) {
        case (.pending, nil): .note("the payer's bank asks about the payment: \(reversal.reference)")
        case (.withheld, nil): .add(quantity: facts.remaining, .needsReview)
        case (.succeeded, nil): .add(quantity: facts.remaining, .succeeded)
        case (.succeeded, let state) where state != .succeeded: settle(known, .succeeded)
        case (.failed, let state?) where state != .failed: settle(known, .failed)
        case (.pending, _), (.withheld, _), (.succeeded, _), (.failed, _): .none
        }
    }

    private static func settle(_ known: RefundRecord?, _ state: RefundRecord.State) -> ReversalStep {
        known.map { .settle($0, state) } ?? .none
    }
}

extension RefundRecord {
    fileprivate func `is`(_ reversal: ProviderReversal) -> Bool {
        id == reversal.refundID || reference == reversal.reference
    }
}

extension ProviderReversal {
    /// The reversal as text for people.
    var text: String {
        switch kind {
        case .refund(nil): "the refund \(reference) that was made at the provider"
        case .refund(let id?): "the refund \(id.text)"
        case .dispute: "the dispute \(reference)"
        }
    }
}
