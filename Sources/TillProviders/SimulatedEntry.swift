package import FoundationEssentials
package import TillEngine
import TillModel

/// A charge or refund in the simulated provider's record.
package enum SimulatedEntry: Hashable, Sendable {
    case charge(SimulatedCharge)
    case refund(SimulatedRefund)

    /// The identity of a charge or refund, which stays the same however often it is requested.
    package enum Key: Hashable, Sendable {
        case payment(UUID)
        case refund(UUID)
    }

    package var key: Key {
        switch self {
        case .charge(let charge): .payment(charge.paymentID)
        case .refund(let refund): .refund(refund.refundID)
        }
    }

    package var paymentID: UUID {
        switch self {
        case .charge(let charge): charge.paymentID
        case .refund(let refund): refund.paymentID
        }
    }

    package var reference: String {
        switch self {
        case .charge(let charge): charge.reference
        case .refund(let refund): refund.reference
        }
    }
}

extension SimulatedEntry {
    /// Those of the entries that a record with the present ones lacks.
    package static func missing(of entries: [Self], in present: [Self]) -> [Self] {
        let known = Set(present.map(\.reference))
        return entries.filter { !known.contains($0.reference) }
    }
}

extension SimulatedEntry: Decodable {
    /// An entry with this key is a refund.
    private enum Mark: String, CodingKey {
        case refundID = "refund_id"
    }

    package init(from decoder: any Decoder) throws {
        let isRefund = try decoder.container(keyedBy: Mark.self).contains(.refundID)
        self = isRefund ? .refund(try SimulatedRefund(from: decoder)) : .charge(try SimulatedCharge(from: decoder))
    }
}

extension SimulatedEntry {
    /// Writes the members in the order of their names.
    func write(to object: inout FlatJSON) {
        switch self {
        case .charge(let charge): charge.write(to: &object)
        case .refund(let refund): refund.write(to: &object)
        }
    }
}

/// A charge as the simulated provider records it: one line of JSON.
package struct SimulatedCharge: Hashable, Sendable, Decodable {
    package var paymentID: UUID
    package var application: String
    package var account: String
    package var productID: String
    package var quantity: Int
    /// Minor units.
    package var amount: Int64
    package var currency: String
    /// The provider's name for the charge.
    package var reference: String
    /// Milliseconds since 1970 by the provider's clock; nil in records of earlier versions.
    package var chargedAt: Int64?

    enum CodingKeys: String, CodingKey {
        case paymentID = "payment_id"
        case application, account
        case productID = "product_id"
        case quantity, amount, currency, reference
        case chargedAt = "charged_ms"
    }

    package init(
        paymentID: UUID,
        application: String,
        account: String,
        productID: String,
        quantity: Int,
        amount: Int64,
        currency: String,
        reference: String,
        chargedAt: Int64?
    ) {
        self.paymentID = paymentID
        self.application = application
        self.account = account
        self.productID = productID
        self.quantity = quantity
        self.amount = amount
        self.currency = currency
        self.reference = reference
        self.chargedAt = chargedAt
    }

    /// - Parameter number: The number of charges for the payment, including this one.
    init(_ request: ChargeRequest, number: Int, at date: Date) {
        let name = "sim_\(request.paymentID.text)"
        self.init(
            paymentID: request.paymentID,
            application: request.application,
            account: request.account,
            productID: request.productID,
            quantity: request.quantity,
            amount: request.amount,
            currency: request.currency,
            reference: number == 1 ? name : "\(name)_\(number)",
            chargedAt: date.millisecondsSince1970
        )
    }

    fileprivate func write(to object: inout FlatJSON) {
        object.add(CodingKeys.account.rawValue, account)
        object.add(CodingKeys.amount.rawValue, amount)
        object.add(CodingKeys.application.rawValue, application)
        object.add(CodingKeys.chargedAt.rawValue, chargedAt)
        object.add(CodingKeys.currency.rawValue, currency)
        object.add(CodingKeys.paymentID.rawValue, paymentID.uuidString)
        object.add(CodingKeys.productID.rawValue, productID)
        object.add(CodingKeys.quantity.rawValue, quantity)
        object.add(CodingKeys.reference.rawValue, reference)
    }
}

/// A refund as the simulated provider records it: one line of JSON.
package struct SimulatedRefund: Hashable, Sendable, Decodable {
    package var refundID: UUID
    package var paymentID: UUID
    /// Minor units.
    package var amount: Int64
    package var currency: String
    /// The provider's name for the refund.
    package var reference: String
    /// Milliseconds since 1970 by the provider's clock.
    package var refundedAt: Int64

    enum CodingKeys: String, CodingKey {
        case refundID = "refund_id"
        case paymentID = "payment_id"
        case amount, currency, reference
        case refundedAt = "refunded_ms"
    }

    package init(
        refundID: UUID,
        paymentID: UUID,
        amount: Int64,
        currency: String,
        reference: String,
        refundedAt: Int64
    ) {
        self.refundID = refundID
        self.paymentID = paymentID
        self.amount = amount
        self.currency = currency
        self.reference = reference
        self.refundedAt = refundedAt
    }

    /// - Parameter number: The number of refunds of this identity, including this one.
    init(_ request: ProviderRefundRequest, number: Int, at date: Date) {
        let name = "sim_refund_\(request.refundID.text)"
        self.init(
            refundID: request.refundID,
            paymentID: request.paymentID,
            amount: request.amount,
            currency: request.currency,
            reference: number == 1 ? name : "\(name)_\(number)",
            refundedAt: date.millisecondsSince1970
        )
    }

    fileprivate func write(to object: inout FlatJSON) {
        object.add(CodingKeys.amount.rawValue, amount)
        object.add(CodingKeys.currency.rawValue, currency)
        object.add(CodingKeys.paymentID.rawValue, paymentID.uuidString)
        object.add(CodingKeys.reference.rawValue, reference)
        object.add(CodingKeys.refundID.rawValue, refundID.uuidString)
        object.add(CodingKeys.refundedAt.rawValue, refundedAt)
    }
}

/// A call of the simulated provider.
package enum SimulatedCall: Sendable {
    case charge(ChargeRequest)
    case refund(ProviderRefundRequest)

    package var key: SimulatedEntry.Key {
        switch self {
        case .charge(let request): .payment(request.paymentID)
        case .refund(let request): .refund(request.refundID)
        }
    }

    package var paymentID: UUID {
        switch self {
        case .charge(let request): request.paymentID
        case .refund(let request): request.paymentID
        }
    }

    var declineCode: String {
        switch self {
        case .charge: "card_declined"
        case .refund: "refund_declined"
        }
    }
}
