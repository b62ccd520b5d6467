package import FoundationEssentials
package import TillModel

/// A payment as a history keeps it.
package struct PaymentNote: Hashable, Sendable, Codable {
    package var id: UUID
    package var product: String
    package var quantity: Int
    package var username: String?

    package init(_ payment: Payment) {
        id = payment.id
        product = payment.productID
        quantity = payment.quantity
        username = payment.applicationUsername
    }

    /// The payment to send, as it was or after a restart.
    package var payment: Payment {
        Payment(id: id, productID: product, quantity: quantity, applicationUsername: username)
    }
}
