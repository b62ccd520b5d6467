import FoundationEssentials
import TillModel

/// The signed content of a discount
/// (https://developer.apple.com/documentation/storekit/generating-a-signature-for-promotional-offers).
struct OfferStatement: Equatable {
    /// The invisible separator between the parts.
    private static let separator = "\u{2063}"

    var application: String
    var keyID: String
    var productID: String
    var offerID: String
    /// Empty for none.
    var applicationUsername: String
    var nonce: UUID
    var timestamp: Date

    /// The bytes that are signed.
    var bytes: Data {
        let parts = [
            application, keyID, productID, offerID, applicationUsername, nonce.text,
            "\(timestamp.millisecondsSince1970)",
        ]
        return Data(parts.joined(separator: Self.separator).utf8)
    }
}

extension OfferStatement {
    /// The valid statements of a discount for a purchase: with the given username, and, if it is a UUID, also with its
    /// lower-case form, as account tokens are signed.
    static func candidates(
        _ discount: PaymentDiscount,
        application: String,
        productID: String,
        applicationUsername: String?
    ) -> [OfferStatement] {
        let username = applicationUsername ?? ""
        let token = UUID(uuidString: username)?.text
        return [username, token].compactMap(\.self).map { username in
            OfferStatement(
                application: application,
                keyID: discount.keyIdentifier,
                productID: productID,
                offerID: discount.identifier,
                applicationUsername: username,
                nonce: discount.nonce,
                timestamp: discount.timestamp
            )
        }
    }
}
