import Crypto
package import FoundationEssentials
package import TillModel

/// Signs discounts as an application's server does, with a catalogue's key.
package struct OfferSigner: Sendable {
    private let keyID: String
    private let key: P256.Signing.PrivateKey

    /// - Throws: `failedPrecondition` if the key is not a P-256 key in PKCS #8.
    package init(_ pair: OfferKeyPair) throws(TillError) {
        keyID = pair.id
        do {
            key = try P256.Signing.PrivateKey(derRepresentation: pair.privateKey.bytes)
        } catch {
            throw TillError(
                .failedPrecondition,
                "The catalogue's subscriptionOffersKeyPair \(pair.id) does not contain a P-256 key."
            )
        }
    }

    /// Creates a signed discount for one purchase.
    ///
    /// - Parameters: - applicationUsername: The payment's username; a UUID must be in lower case. - nonce: A value that
    ///   is unique for each discount.
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
                signature: try key.signature(for: statement.bytes).derRepresentation.base64EncodedString(),
                timestamp: timestamp
            )
        } catch {
            throw TillError(.internal, "The discount could not be signed.", cause: error)
        }
    }

    /// Whether the discount's signature is by this key over one of the statements.
    func hasSigned(_ discount: PaymentDiscount, _ statements: [OfferStatement]) -> Bool {
        guard let der = Data(base64Encoded: discount.signature),
            let signature = try? P256.Signing.ECDSASignature(derRepresentation: der)
        else {
            return false
        }
        return statements.contains { key.publicKey.isValidSignature(signature, for: $0.bytes) }
    }
}
