package import FoundationEssentials
package import TillModel

/// A payment in a history.
package struct PaymentNote: Hashable, Sendable, Codable {
    package var id: UUID
    package var product: String
    package var quantity: Int
    package var username: String?
    /// The identifier of the discount that the payment asks for.
    package var offer: String?

    package init(_ payment: Payment) {
        id = payment.id
        product = payment.productID
        quantity = payment.quantity
        username = payment.applicationUsername
        offer = payment.discount?.identifier
    }

    /// The payment to send, also after a restart.
    package var payment: Payment {
        Payment(id: id, productID: product, quantity: quantity, applicationUsername: username, discount: discount)
    }

    private var discount: PaymentDiscount? {
        offer.map {
            PaymentDiscount(
                identifier: $0,
                keyIdentifier: "key",
                nonce: id,
                signature: "signature",
                timestamp: Date(timeIntervalSince1970: 0)
            )
        }
    }
}
