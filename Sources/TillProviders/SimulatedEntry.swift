import FoundationEssentials

/// A line of the simulated provider's record.
enum SimulatedEntry: Hashable, Sendable {
    case charge(SimulatedCharge)
    case refund(SimulatedRefund)

    /// What was asked for, under an identity that stays the same however often it is asked for.
    enum Key: Hashable, Sendable {
        case payment(UUID)
        case refund(UUID)
    }

    var key: Key {
        switch self {
        case .charge(let charge): .payment(charge.paymentID)
        case .refund(let refund): .refund(refund.refundID)
        }
    }

    var paymentID: UUID {
        switch self {
        case .charge(let charge): charge.paymentID
        case .refund(let refund): refund.paymentID
        }
    }

    var reference: String {
        switch self {
        case .charge(let charge): charge.reference
        case .refund(let refund): refund.reference
        }
    }
}

extension SimulatedEntry: Codable {
    /// A refund is what names one.
    private enum Mark: String, CodingKey {
        case refundID = "refund_id"
    }

    init(from decoder: any Decoder) throws {
        let isRefund = try decoder.container(keyedBy: Mark.self).contains(.refundID)
        self = isRefund ? .refund(try SimulatedRefund(from: decoder)) : .charge(try SimulatedCharge(from: decoder))
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .charge(let charge): try charge.encode(to: encoder)
        case .refund(let refund): try refund.encode(to: encoder)
        }
    }
}
