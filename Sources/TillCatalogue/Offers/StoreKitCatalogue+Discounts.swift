import FoundationEssentials
package import TillModel

extension StoreKitCatalogue {
    /// How long a discount is valid after it was signed
    /// (https://developer.apple.com/documentation/storekit/skpaymentdiscount/timestamp).
    static let discountLifetime: TimeInterval = 24 * 3600

    /// The error of a discount's signature; nil if it is valid.
    package func fault(
        of discount: PaymentDiscount,
        application: String,
        productID: String,
        applicationUsername: String?
    ) -> PaymentError? {
        guard let offerSigner else {
            return Self.invalid("The catalogue has no subscriptionOffersKeyPair to check discounts with.")
        }
        let signer: OfferSigner
        do {
            signer = try offerSigner.get()
        } catch {
            return Self.invalid(error.message)
        }
        guard discount.keyIdentifier == signer.keyID else {
            return Self.invalid("The discount names the key \(discount.keyIdentifier), which the store does not have.")
        }
        let statements = OfferStatement.candidates(
            discount,
            application: application,
            productID: productID,
            applicationUsername: applicationUsername
        )
        guard signer.hasSigned(discount, statements) else {
            return Self.invalid("The discount's signature is invalid for this purchase.")
        }
        guard clock() <= discount.timestamp.addingTimeInterval(Self.discountLifetime) else {
            return Self.invalid("The discount was signed more than 24 hours ago.")
        }
        return nil
    }

    private static func invalid(_ message: String) -> PaymentError {
        PaymentError(.invalidSignature, message, reason: .invalidOffer)
    }
}
