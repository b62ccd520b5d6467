public import Foundation
import NIOConcurrencyHelpers

/// A payment or a restored purchase in the queue, kept until it is finished
/// (https://developer.apple.com/documentation/storekit/skpaymenttransaction).
///
/// Each transaction has one object for as long as the application holds it; its values change in place, immediately
/// before observers are notified.
// A lock protects all mutable state; the payment and the original never change once they are set.
open class SKPaymentTransaction: NSObject, @unchecked Sendable {
    private let values = NIOLockedValueBox(TransactionValues())

    /// Creates a transaction in the state `purchasing` that is not in any queue.
    public override init() {
        super.init()
    }

    convenience init(values: TransactionValues) {
        self.init()
        self.values.withLockedValue { $0 = values }
    }

    /// The reason a failed transaction failed, an ``SKError``; otherwise nil
    /// (https://developer.apple.com/documentation/storekit/skpaymenttransaction/error).
    open var error: (any Error)? { values.withLockedValue { $0.error } }

    /// The original purchase of a restored, renewed or free repeated purchase
    /// (https://developer.apple.com/documentation/storekit/skpaymenttransaction/original).
    open var original: SKPaymentTransaction? { values.withLockedValue { $0.original } }

    /// The payment (https://developer.apple.com/documentation/storekit/skpaymenttransaction/payment).
    open var payment: SKPayment { values.withLockedValue { $0.payment } }

    /// The downloads of the product's content, if purchased or restored and not finished; the same objects while the
    /// transaction is in the queue (https://developer.apple.com/documentation/storekit/skpaymenttransaction/downloads).
    open var downloads: [SKDownload] { values.withLockedValue { $0.downloads } }

    /// The time when the payment was added or the purchase was restored; nil unless purchased or restored
    /// (https://developer.apple.com/documentation/storekit/skpaymenttransaction/transactiondate).
    open var transactionDate: Date? { values.withLockedValue { $0.transactionDate } }

    /// The transaction's identifier, in decimal digits; nil unless purchased or restored
    /// (https://developer.apple.com/documentation/storekit/skpaymenttransaction/transactionidentifier).
    open var transactionIdentifier: String? { values.withLockedValue { $0.transactionIdentifier } }

    /// The transaction signed by the store, if purchased or restored: a JWS in the App Store's format
    /// (https://developer.apple.com/documentation/appstoreserverapi/jwstransaction), not the property list of iOS 6
    /// (https://developer.apple.com/documentation/storekit/skpaymenttransaction/transactionreceipt).
    open var transactionReceipt: Data? { values.withLockedValue { $0.receipt }.map { Data($0.utf8) } }

    /// The transaction's state
    /// (https://developer.apple.com/documentation/storekit/skpaymenttransaction/transactionstate).
    open var transactionState: SKPaymentTransactionState { values.withLockedValue { $0.state } }

    /// The payment's id at the daemon; nil for an object that is not in any queue.
    var identity: UUID? { values.withLockedValue { $0.identity } }

    func change(_ change: (inout TransactionValues) -> Void) {
        values.withLockedValue { change(&$0) }
    }
}
