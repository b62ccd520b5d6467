package import FoundationEssentials
import TillEngine
import TillModel

/// A line of the simulated provider's record.
enum SimulatedEntry: Hashable, Sendable {
    case charge(SimulatedCharge)
    case refund(SimulatedRefund)

    /// The identity of a charge or refund, which stays the same however often it is requested.
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

extension SimulatedEntry: Decodable {
    /// An entry with this key is a refund.
    private enum Mark: String, CodingKey {
        case refundID = "refund_id"
    }

    init(from decoder: any Decoder) throws {
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

    /// - Parameter number: The number of charges for the payment, including this one.
    init(_ request: ChargeRequest, number: Int, at date: Date) {
        paymentID = request.paymentID
        application = request.application
        account = request.account
        productID = request.productID
        quantity = request.quantity
        amount = request.amount
        currency = request.currency
        let name = "sim_\(request.paymentID.text)"
        reference = number == 1 ? name : "\(name)_\(number)"
        chargedAt = date.millisecondsSince1970
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
struct SimulatedRefund: Hashable, Sendable, Decodable {
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

    /// - Parameter number: The number of refunds of this identity, including this one.
    init(_ request: ProviderRefundRequest, number: Int, at date: Date) {
        refundID = request.refundID
        paymentID = request.paymentID
        amount = request.amount
        currency = request.currency
        let name = "sim_refund_\(request.refundID.text)"
        reference = number == 1 ? name : "\(name)_\(number)"
        refundedAt = date.millisecondsSince1970
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
enum SimulatedCall: Sendable {
    case charge(ChargeRequest)
    case refund(ProviderRefundRequest)

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
