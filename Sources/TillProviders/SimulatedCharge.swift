package import FoundationEssentials
package import TillEngine

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

    enum CodingKeys: String, CodingKey {
        case paymentID = "payment_id"
        case application, account
        case productID = "product_id"
        case quantity, amount, currency, reference
    }

    init(_ request: ChargeRequest) {
        paymentID = request.paymentID
        application = request.application
        account = request.account
        productID = request.productID
        quantity = request.quantity
        amount = request.amount
        currency = request.currency
        reference = "sim_\(request.paymentID.uuidString.lowercased())"
    }

    /// The charge as a comparison with the ledger needs it.
    package var providerCharge: ProviderCharge {
        ProviderCharge(paymentID: paymentID, amount: amount, currency: currency, reference: reference)
    }
}
