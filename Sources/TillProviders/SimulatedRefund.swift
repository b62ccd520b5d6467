import FoundationEssentials
import TillEngine
import TillModel

/// A refund as the simulated provider records it: one line of JSON.
struct SimulatedRefund: Hashable, Sendable, Codable {
    var refundID: UUID
    var paymentID: UUID
    /// Minor units.
    var amount: Int64
    var currency: String
    /// The provider's name for the refund.
    var reference: String
    /// Milliseconds since 1970 by the provider's clock.
    var refundedAt: Int64

    enum CodingKeys: String, CodingKey {
        case refundID = "refund_id"
        case paymentID = "payment_id"
        case amount, currency, reference
        case refundedAt = "refunded_ms"
    }

    /// - Parameter number: How many refunds of the identity there are with it.
    init(_ request: RefundRequest, number: Int, at date: Date) {
        refundID = request.refundID
        paymentID = request.paymentID
        amount = request.amount
        currency = request.currency
        let name = "sim_refund_\(request.refundID.text)"
        reference = number == 1 ? name : "\(name)_\(number)"
        refundedAt = date.millisecondsSince1970
    }
}
