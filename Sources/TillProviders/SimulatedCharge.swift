package import FoundationEssentials
import TillEngine
import TillModel

/// A charge as the simulated provider records it: one line of JSON.
package struct SimulatedCharge: Hashable, Sendable, Codable {
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

    /// - Parameter number: How many charges for the payment there are with it.
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
}
