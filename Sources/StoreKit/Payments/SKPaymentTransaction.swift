public import Foundation
import NIOConcurrencyHelpers

/// What the queue keeps for a payment, or for a restored purchase, until it is finished
/// (https://developer.apple.com/documentation/storekit/skpaymenttransaction).
///
/// There is one object for each transaction for as long as anybody holds it: what it shows changes in place, right
/// before observers are told.
// All that can change is under one lock; the payment and the original are never changed once they are in there.
open class SKPaymentTransaction: NSObject, @unchecked Sendable {
    private let fields = NIOLockedValueBox(TransactionFields())

    /// A transaction of no queue, in `purchasing`.
    public override init() {
        super.init()
    }

    convenience init(fields: TransactionFields) {
        self.init()
        self.fields.withLockedValue { $0 = fields }
    }

    /// Why it failed: an ``SKError``; nil unless it failed
    /// (https://developer.apple.com/documentation/storekit/skpaymenttransaction/error).
    open var error: (any Error)? { fields.withLockedValue { $0.error } }

    /// The purchase that was restored or renewed, or that made buying again free of charge
    /// (https://developer.apple.com/documentation/storekit/skpaymenttransaction/original).
    open var original: SKPaymentTransaction? { fields.withLockedValue { $0.original } }

    /// What was asked for (https://developer.apple.com/documentation/storekit/skpaymenttransaction/payment).
    open var payment: SKPayment { fields.withLockedValue { $0.payment } }

    /// The product's content, when purchased or restored and not finished; the same objects as long as it is in the queue
    /// (https://developer.apple.com/documentation/storekit/skpaymenttransaction/downloads).
    open var downloads: [SKDownload] { fields.withLockedValue { $0.downloads } }

    /// When the payment was added, or the purchase restored; nil unless purchased or restored
    /// (https://developer.apple.com/documentation/storekit/skpaymenttransaction/transactiondate).
    open var transactionDate: Date? { fields.withLockedValue { $0.transactionDate } }

    /// Decimal digits; nil unless purchased or restored
    /// (https://developer.apple.com/documentation/storekit/skpaymenttransaction/transactionidentifier).
    open var transactionIdentifier: String? { fields.withLockedValue { $0.transactionIdentifier } }

    /// The transaction signed by the store, when purchased or restored: a JWS in the App Store's format
    /// (https://developer.apple.com/documentation/appstoreserverapi/jwstransaction), not the property list of iOS 6
    /// (https://developer.apple.com/documentation/storekit/skpaymenttransaction/transactionreceipt).
    open var transactionReceipt: Data? { fields.withLockedValue { $0.receipt }.map { Data($0.utf8) } }

    /// Where it stands (https://developer.apple.com/documentation/storekit/skpaymenttransaction/transactionstate).
    open var transactionState: SKPaymentTransactionState { fields.withLockedValue { $0.state } }

    /// The payment's identity at the daemon; nil for an object that is in no queue.
    var identity: UUID? { fields.withLockedValue { $0.identity } }

    func change(_ change: (inout TransactionFields) -> Void) {
        fields.withLockedValue { change(&$0) }
    }
}
