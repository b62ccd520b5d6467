import FoundationEssentials
import TillEngine
import TillModel

/// A refund (https://docs.stripe.com/api/refunds/object) or a dispute (https://docs.stripe.com/api/disputes/object), read
/// with its PaymentIntent.
struct StripeReversal: Hashable, Sendable, Decodable {
    /// The kinds of objects, by the paths of their lists.
    enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        case refunds = "/v1/refunds"
        case disputes = "/v1/disputes"

        /// The kind of the object that an event of this type is about; nil for any other.
        init?(eventType type: String) {
            if type.hasPrefix("refund.") {
                self = .refunds
            } else if type.hasPrefix("charge.dispute.") {
                self = .disputes
            } else {
                return nil
            }
        }
    }

    struct Intent: Hashable, Sendable, Decodable {
        var id: String
        var metadata: [String: String]
    }

    var id: String
    var status: String
    var amount: Int64
    var currency: String
    /// Unix time.
    var created: Int64
    var metadata: [String: String]?
    /// Nil for a charge that was made without one, which is never Till's.
    var intent: Intent?

    private enum CodingKeys: String, CodingKey {
        case id, status, amount, currency, created, metadata
        case intent = "payment_intent"
    }

    /// What Till makes of it; nil if it is about a payment of another ledger or program, or has an unknown status.
    func reversal(_ kind: Kind, ofLedger ledger: UUID) -> ProviderReversal? {
        guard let payment = intent.flatMap({ Metadata.payment($0.metadata, ofLedger: ledger) }),
            let status = status(of: kind),
            let minorUnits = StripeAmount(amount: amount, currency: currency).minorUnits
        else {
            return nil
        }
        let asked = metadata?[Metadata.refund].flatMap(UUID.init(uuidString:))
        return ProviderReversal(
            reference: id,
            kind: kind == .refunds ? .refund(asked) : .dispute,
            status: status,
            paymentID: payment,
            amount: minorUnits,
            currency: currency.uppercased()
        )
    }

    /// Nil for a status that Till does not know.
    func status(of kind: Kind) -> ProviderReversal.Status? {
        kind == .refunds ? ProviderReversal.Status(refund: status) : disputeStatus
    }

    private var disputeStatus: ProviderReversal.Status? {
        switch status {
        case "warning_needs_response", "warning_under_review": .pending
        case "needs_response", "under_review": .withheld
        case "lost": .succeeded
        case "won", "warning_closed", "prevented": .failed
        default: nil
        }
    }
}

extension ProviderReversal.Status {
    /// The meaning of a refund's status; nil for one that Till does not know. The money of a refund that needs the payer's
    /// bank details is still on its way.
    init?(refund status: String) {
        switch status {
        case "pending", "requires_action": self = .pending
        case "succeeded": self = .succeeded
        case "failed", "canceled": self = .failed
        default: return nil
        }
    }
}

/// An event (https://docs.stripe.com/api/events/object). Only the name of its object is read: the object itself is fetched.
struct StripeEvent: Hashable, Sendable, Decodable {
    struct Payload: Hashable, Sendable, Decodable {
        struct Object: Hashable, Sendable, Decodable {
            var id: String
        }

        var object: Object
    }

    var id: String
    var type: String
    var data: Payload
}
