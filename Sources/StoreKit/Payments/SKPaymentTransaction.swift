public import Foundation
import NIOConcurrencyHelpers
import TillModel

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

    /// The identity under which Till keeps the transaction, beyond Apple's properties; nil for an object that is not in any queue.
    /// Operators' commands take it, and so does `till.finish` of a ledger in PostgreSQL.
    public var tillIdentifier: UUID? { values.withLockedValue { $0.identity } }

    func change(_ change: (inout TransactionValues) -> Void) {
        values.withLockedValue { change(&$0) }
    }
}

/// The values of a transaction object.
struct TransactionValues {
    /// The payment's id at the daemon; nil for an object that is not in any queue.
    var identity: UUID?
    var state = SKPaymentTransactionState.purchasing
    var payment = SKPayment()
    var error: (any Error)?
    var original: SKPaymentTransaction?
    var transactionDate: Date?
    var transactionIdentifier: String?
    var receipt: String?
    var downloads: [SKDownload] = []
}

extension SKPaymentTransaction {
    convenience init(_ transaction: Transaction) {
        var values = TransactionValues()
        values.identity = transaction.id
        values.payment = SKPayment(transaction.payment)
        values.show(transaction)
        self.init(values: values)
    }

    /// Updates the object's values; the payment stays the same object.
    func show(_ transaction: Transaction) {
        change { $0.show(transaction) }
        _ = show(transaction.downloads)
    }

    /// Updates the transaction's downloads; each stays the same object.
    ///
    /// - Returns: The downloads in which an observer sees a difference.
    func show(_ downloads: [Download]) -> [SKDownload] {
        var changed: [SKDownload] = []
        for download in downloads {
            if let object = self.downloads.first(where: { $0.identity == download.id }) {
                if object.show(download) {
                    changed.append(object)
                }
            } else {
                let object = SKDownload(download, of: self)
                change { $0.downloads.append(object) }
                changed.append(object)
            }
        }
        return changed
    }

    /// Releases the downloads when the transaction leaves the queue.
    func releaseDownloads() {
        change { $0.downloads = [] }
    }
}

extension TransactionValues {
    fileprivate mutating func show(_ transaction: Transaction) {
        state = SKPaymentTransactionState(rawValue: transaction.state.rawValue) ?? .purchasing
        error = transaction.error.map { SKError($0) }
        transactionDate = transaction.purchase?.transactionDate
        transactionIdentifier = transaction.purchase?.transactionIdentifier
        receipt = transaction.receipt
        if original?.tillIdentifier != transaction.original?.id {
            original = transaction.original.map { SKPaymentTransaction(original: $0, of: payment) }
        }
    }
}

extension SKPaymentTransaction {
    /// Creates a copy of a transaction's original purchase, which is not in any queue.
    fileprivate convenience init(original: OriginalTransaction, of payment: SKPayment) {
        var values = TransactionValues()
        values.identity = original.id
        values.state = .purchased
        values.payment = payment
        values.transactionDate = original.purchase.transactionDate
        values.transactionIdentifier = original.purchase.transactionIdentifier
        self.init(values: values)
    }
}
