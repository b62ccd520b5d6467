import FoundationEssentials
import TillEngine
import TillModel

/// An application's receipt: the App Store's fields
/// (https://developer.apple.com/documentation/storekit/apptransaction), and in `inApp` the payloads of all purchases'
/// receipts.
///
/// It omits Apple's fields that this store cannot guarantee:
/// - `applicationVersion`, `originalApplicationVersion`, `versionExternalIdentifier`, `preorderDate`: this store does
///   not distribute applications. A version from the application itself would be signed without a check.
/// - `deviceVerification`, `deviceVerificationNonce`: they bind a receipt to `AppStore.deviceVerificationID`, which
///   does not exist in StoreKit 1 and on Linux.
/// - `originalPlatform`: Apple's enumeration contains only Apple's platforms.
struct ApplicationPayload: Encodable {
    private var appAppleId: Int64?
    private var appTransactionId: String?
    private var bundleId: String
    private var originalPurchaseDate: Int64?
    private var receiptCreationDate: Int64
    private var receiptType: String

    init(_ facts: ApplicationReceiptFacts, environment: ReceiptEnvironment, appAppleID: Int64?) {
        appAppleId = appAppleID
        appTransactionId = facts.appTransactionID
        bundleId = facts.application
        originalPurchaseDate = facts.originalPurchaseDate?.millisecondsSince1970
        receiptCreationDate = facts.date.millisecondsSince1970
        receiptType = environment.rawValue
    }

    /// Encodes the document with the purchases. Each is a JSON object and is copied unchanged, because encoding
    /// thousands of them again would delay the commit.
    func encoded(purchases: [[UInt8]]) throws -> Data {
        // The document is a non-empty object; its last byte is the closing brace.
        var document = try ReceiptJSON.encode(self).dropLast()
        document.append(contentsOf: #","inApp":["#.utf8)
        document.append(contentsOf: purchases.joined(separator: ",".utf8))
        document.append(contentsOf: "]}".utf8)
        return document
    }
}

extension SignedReceipt {
    /// The receipt's payload, a JSON object; nil if the body does not contain one.
    var payload: [UInt8]? {
        let encoded = body.utf8.prefix { $0 != UInt8(ascii: ".") }
        guard let bytes = Base64URL.decode(encoded), ReceiptJSON.isObject(bytes) else {
            return nil
        }
        return bytes
    }
}
