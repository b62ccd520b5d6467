import TillEngine

/// What the simulated provider is asked to do.
enum SimulatedCall: Sendable {
    case charge(ChargeRequest)
    case refund(RefundRequest)

    var key: SimulatedEntry.Key {
        switch self {
        case .charge(let request): .payment(request.paymentID)
        case .refund(let request): .refund(request.refundID)
        }
    }

    var declineCode: String {
        switch self {
        case .charge: "card_declined"
        case .refund: "refund_declined"
        }
    }
}
