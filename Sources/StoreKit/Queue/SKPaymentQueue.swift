public import Foundation
import NIOConcurrencyHelpers

/// The queue of the application's payments, which a daemon keeps
/// (https://developer.apple.com/documentation/storekit/skpaymentqueue).
///
/// ``default()`` is connected when it is first used, and again whenever the daemon comes back. A queue made by `init()`
/// is connected to nothing: it keeps its delegate and its observers, is empty, and takes payments nowhere.
// The connection is set before anybody else has the queue; all else is under the connection's locks.
open class SKPaymentQueue: NSObject, @unchecked Sendable {
    /// What the queue is connected by; nil for a queue that is connected to nothing.
    package private(set) var connection: StoreConnection?
    /// The observers and the delegate of a queue that is connected to nothing.
    private let loneAudience = Audience()

    /// A queue that is connected to nothing.
    public override init() {
        super.init()
    }

    /// A queue of its own, beside the process's.
    package convenience init(connection: StoreConnection) {
        self.init()
        self.connection = connection
        connection.audience.queue = self
    }

    private var audience: Audience {
        usedConnection?.audience ?? loneAudience
    }

    /// The connection, for a call of the program.
    private var usedConnection: StoreConnection? {
        if connection != nil, self === Self.process {
            Self.announceUse()
        }
        return connection
    }

    /// Who decides for the queue; held weakly
    /// (https://developer.apple.com/documentation/storekit/skpaymentqueue/delegate).
    open var delegate: (any SKPaymentQueueDelegate)? {
        get { audience.delegate }
        set { audience.delegate = newValue }
    }

    /// Where the store sells (https://developer.apple.com/documentation/storekit/skpaymentqueue/storefront).
    ///
    /// Waits two seconds at most for the daemon, and while the daemon stays away not again: then it is the daemon's last
    /// answer, nil before the first.
    open var storefront: SKStorefront? { usedConnection?.storefront }

    /// The application's queue (https://developer.apple.com/documentation/storekit/skpaymentqueue/default()).
    open class func `default`() -> Self {
        guard let queue = current as? Self else {
            preconditionFailure("\(self) has no queue of its own: override default() to make one.")
        }
        return queue
    }

    /// Whether the account may pay (https://developer.apple.com/documentation/storekit/skpaymentqueue/canmakepayments()).
    ///
    /// Waits two seconds at most for the daemon, and while the daemon stays away not again: then it is the daemon's last
    /// answer, true before the first. A payment can be added all the same, and is decided on once the daemon is back.
    open class func canMakePayments() -> Bool {
        current.connection?.canMakePayments ?? true
    }

    /// Adds a copy of a payment, and returns at once
    /// (https://developer.apple.com/documentation/storekit/skpaymentqueue/add(_:)-5s42b).
    ///
    /// While the daemon is away payments wait in memory, in order. A payment without a product, or of none or fewer, is a
    /// fault of the program, and ends it (see ``misuseHandler``).
    open func add(_ payment: SKPayment) {
        usedConnection?.add(payment)
    }

    /// Restores the account's purchases; exactly one end follows
    /// (https://developer.apple.com/documentation/storekit/skpaymentqueue/restorecompletedtransactions()).
    open func restoreCompletedTransactions() {
        usedConnection?.link.restore(applicationUsername: nil)
    }

    /// The same for the purchases made with a username; nil for all
    /// (https://developer.apple.com/documentation/storekit/skpaymentqueue/restorecompletedtransactions(withapplicationusername:)).
    open func restoreCompletedTransactions(withApplicationUsername username: String?) {
        usedConnection?.link.restore(applicationUsername: username)
    }

    /// Takes a transaction out of the queue once what it bought is delivered; again, or of another queue, is harmless
    /// (https://developer.apple.com/documentation/storekit/skpaymentqueue/finishtransaction(_:)).
    ///
    /// Finishing one that is purchasing is a fault of the program, and ends it (see ``misuseHandler``).
    open func finishTransaction(_ transaction: SKPaymentTransaction) {
        usedConnection?.finish(transaction)
    }

    /// Has the daemon download content, and returns at once: what waits, failed or was cancelled, of transactions that are
    /// not finished; all else is left as it is (https://developer.apple.com/documentation/storekit/skpaymentqueue/start(_:)).
    open func start(_ downloads: [SKDownload]) {
        usedConnection?.link.control(.start, downloads)
    }

    /// Has active downloads rest (https://developer.apple.com/documentation/storekit/skpaymentqueue/pause(_:)).
    open func pause(_ downloads: [SKDownload]) {
        usedConnection?.link.control(.pause, downloads)
    }

    /// Has paused downloads go on (https://developer.apple.com/documentation/storekit/skpaymentqueue/resume(_:)).
    open func resume(_ downloads: [SKDownload]) {
        usedConnection?.link.control(.resume, downloads)
    }

    /// Gives up downloads that are not finished
    /// (https://developer.apple.com/documentation/storekit/skpaymentqueue/cancel(_:)).
    open func cancel(_ downloads: [SKDownload]) {
        usedConnection?.link.control(.cancel, downloads)
    }

    /// Has an observer told of changes; held weakly, and told once however often it is added
    /// (https://developer.apple.com/documentation/storekit/skpaymentqueue/add(_:)-8fnc1).
    ///
    /// The first observer beside no other is given all that is unfinished.
    open func add(_ observer: any SKPaymentTransactionObserver) {
        if let usedConnection {
            usedConnection.add(observer)
        } else {
            _ = loneAudience.add(observer)
        }
    }

    /// Has an observer told of nothing more (https://developer.apple.com/documentation/storekit/skpaymentqueue/remove(_:)).
    open func remove(_ observer: any SKPaymentTransactionObserver) {
        if let usedConnection {
            usedConnection.remove(observer)
        } else {
            _ = loneAudience.remove(ObjectIdentifier(observer))
        }
    }

    /// Who is told of changes (https://developer.apple.com/documentation/storekit/skpaymentqueue/transactionobservers).
    open var transactionObservers: [any SKPaymentTransactionObserver] { audience.observers }

    /// What is unfinished, as observers were told; valid only while there are observers
    /// (https://developer.apple.com/documentation/storekit/skpaymentqueue/transactions).
    open var transactions: [SKPaymentTransaction] { usedConnection?.link.transactions ?? [] }

    /// Does nothing: the user is asked by an authorisation agent
    /// (https://developer.apple.com/documentation/storekit/skpaymentqueue/showpriceconsentifneeded()).
    open func showPriceConsentIfNeeded() {}

    /// Does nothing: there is no such sheet
    /// (https://developer.apple.com/documentation/storekit/skpaymentqueue/presentcoderedemptionsheet()).
    open func presentCodeRedemptionSheet() {}
}
