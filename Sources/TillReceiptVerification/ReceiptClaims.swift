import FoundationEssentials
import TillModel

/// What a verifier reads of a receipt. Dates are milliseconds, which Apple's tools also write with fractions.
struct ReceiptClaims: Decodable {
    /// The dates that a certificate can be checked at, in milliseconds: the years 1970 to 9999.
    static let signedRange = 0.0...253_402_300_799_000.0

    var transactionId: String?
    var originalTransactionId: String?
    var bundleId: String?
    var productId: String?
    /// Only renewal information has it.
    var autoRenewStatus: Int?
    var environment: String?
    /// An application's environment.
    var receiptType: String?
    var purchaseDate: Double?
    var expiresDate: Double?
    var revocationDate: Double?
    var signedMilliseconds: Double?
    /// When an application's receipt was signed.
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

    /// When the receipt says it was signed; nil when it does not, or the date is beyond all certificates.
    var signature: Date? {
        let milliseconds = kind == .application ? receiptCreationDate : signedMilliseconds
        guard let milliseconds, Self.signedRange.contains(milliseconds) else {
            return nil
        }
        return Date(timeIntervalSince1970: milliseconds / 1000)
    }
}
