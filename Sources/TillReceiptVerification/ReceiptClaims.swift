import FoundationEssentials
import TillModel

/// The claims that a verifier reads. Dates are milliseconds, which Apple's tools also write with fractions.
struct ReceiptClaims: Decodable {
    /// The dates at which certificates can be checked, in milliseconds: the years 1970 to 9999.
    static let signedRange = 0.0...253_402_300_799_000.0

    var transactionId: String?
    var originalTransactionId: String?
    var bundleId: String?
    var productId: String?
    /// The renewal status, which only renewal information has.
    var autoRenewStatus: Int?
    var environment: String?
    /// The environment of an application's receipt.
    var receiptType: String?
    var purchaseDate: Double?
    var expiresDate: Double?
    var revocationDate: Double?
    var signedMilliseconds: Double?
    /// The date of signature of an application's receipt.
    var receiptCreationDate: Double?

    private enum CodingKeys: String, CodingKey {
        case transactionId, originalTransactionId, bundleId, productId, autoRenewStatus, environment, receiptType
        case purchaseDate, expiresDate, revocationDate, receiptCreationDate
        case signedMilliseconds = "signedDate"
    }

    var kind: VerifiedReceipt.Kind {
        if receiptType != nil {
            .application
        } else {
            transactionId == nil && bundleId == nil && autoRenewStatus != nil ? .renewal : .transaction
        }
    }

    /// The date of the signature; nil if it is missing or outside the range of certificates.
    var signature: Date? {
        let milliseconds = kind == .application ? receiptCreationDate : signedMilliseconds
        guard let milliseconds, Self.signedRange.contains(milliseconds) else {
            return nil
        }
        return Date(timeIntervalSince1970: milliseconds / 1000)
    }
}
