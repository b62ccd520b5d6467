import FoundationEssentials
import TillEngine
import TillModel

/// An application's receipt: the App Store's (https://developer.apple.com/documentation/storekit/apptransaction), and in
/// `inApp` all purchases, as their own receipts say them.
///
/// Absent are Apple's fields that nobody here could vouch for:
/// - `applicationVersion`, `originalApplicationVersion`, `versionExternalIdentifier`, `preorderDate`: this store does not
///   distribute applications. A version that the application names itself would be signed unchecked.
/// - `deviceVerification`, `deviceVerificationNonce`: they bind a receipt to `AppStore.deviceVerificationID`, which
///   StoreKit 1 and Linux do not have.
/// - `originalPlatform`: Apple's enumeration has only Apple's platforms.
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

    /// The document's bytes with the purchases, each an object in JSON, which are taken over as they are: to write
    /// thousands of them anew would hold the commit up.
    func encoded(purchases: [[UInt8]]) throws -> Data {
        // An object that is not empty, whose last byte is its brace.
        var document = try ReceiptJSON.encode(self).dropLast()
        document.append(contentsOf: #","inApp":["#.utf8)
        document.append(contentsOf: purchases.joined(separator: ",".utf8))
        document.append(contentsOf: "]}".utf8)
        return document
    }
}

extension SignedReceipt {
    /// The receipt's payload, an object in JSON; nil when the body holds none.
    var payload: [UInt8]? {
        let encoded = body.utf8.prefix { $0 != UInt8(ascii: ".") }
        guard let bytes = Base64URL.decode(encoded), ReceiptJSON.isObject(bytes) else {
            return nil
        }
        return bytes
    }
}
