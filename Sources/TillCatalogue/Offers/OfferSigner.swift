package import FoundationEssentials
import TillCrypto
package import TillModel

/// Signs discounts as an application's server does, with a catalogue's key.
package struct OfferSigner: Sendable {
    let keyID: String
    private let key: SigningKey

    /// - Throws: `failedPrecondition` if the key is not a P-256 key in PKCS #8.
    package init(_ pair: OfferKeyPair) throws(TillError) {
        keyID = pair.id
        guard let key = try? SigningKey(der: pair.privateKey.bytes), key.curve == .p256 else {
            throw TillError(
                .failedPrecondition,
                "The catalogue's subscriptionOffersKeyPair \(pair.id) does not contain a P-256 key."
            )
        }
        self.key = key
    }

    /// Creates a signed discount for one purchase.
    ///
    /// - Parameters:
    ///   - applicationUsername: The payment's username; a UUID must be in lower case.
    ///   - nonce: A value that is unique for each discount.
    package func discount(
        offerID: String,
        productID: String,
        application: String,
        applicationUsername: String?,
        nonce: UUID = UUID(),
        timestamp: Date
    ) throws(TillError) -> PaymentDiscount {
        let statement = OfferStatement(
            application: application,
            keyID: keyID,
            productID: productID,
            offerID: offerID,
            applicationUsername: applicationUsername ?? "",
            nonce: nonce,
            timestamp: timestamp
        )
        do {
            return PaymentDiscount(
                identifier: offerID,
                keyIdentifier: keyID,
                nonce: nonce,
                signature: Data(try key.sign(statement.digest).der).base64EncodedString(),
                timestamp: timestamp
            )
        } catch {
            throw TillError(.internal, "The discount could not be signed.", cause: error)
        }
    }

    /// Whether the discount's signature is by this key over one of the statements.
    func hasSigned(_ discount: PaymentDiscount, _ statements: [OfferStatement]) -> Bool {
        guard let der = Data(base64Encoded: discount.signature) else {
            return false
        }
        let signature = Signature(der: Array(der))
        return statements.contains { key.publicKey.isValid(signature, for: $0.digest) }
    }
}

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

    var digest: SHA256Digest {
        SHA256Digest(of: bytes)
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

/// The key that signs promotional offers in local testing.
package struct OfferKeyPair: Hashable, Sendable {
    package var id: String
    package var privateKey: PrivateKey

    package init(id: String, privateKey: PrivateKey) {
        self.id = id
        self.privateKey = privateKey
    }
}

/// A P-256 private key that neither prints nor reflects its bytes.
package struct PrivateKey: Hashable, Sendable {
    /// PKCS #8 in DER.
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}

extension PrivateKey: Redacted {}
