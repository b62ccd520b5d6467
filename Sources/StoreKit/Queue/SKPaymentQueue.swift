public import Foundation
import NIOConcurrencyHelpers

/// The queue of the application's payments, which a daemon keeps
/// (https://developer.apple.com/documentation/storekit/skpaymentqueue).
///
/// ``default()`` connects on first use and reconnects whenever the daemon becomes available again. A queue created by
/// `init()` is not connected: it keeps its delegate and its observers, is empty, and ignores payments.
// The connection is set before the queue is shared; the connection's locks protect everything else.
open class SKPaymentQueue: NSObject, @unchecked Sendable {
    /// The queue's connection; nil for a queue that is not connected.
    package private(set) var connection: StoreConnection?
    /// The observers and the delegate of a queue that is not connected.
    private let unconnectedObservers = ObserverList()

    /// Creates a queue that is not connected.
    public override init() {
        super.init()
    }

    /// Creates a queue in addition to the process's queue.
    package convenience init(connection: StoreConnection) {
        self.init()
        self.connection = connection
        connection.observerList.queue = self
    }

    private var observerList: ObserverList {
        usedConnection?.observerList ?? unconnectedObservers
    }

    /// The connection, for a call from the program.
    private var usedConnection: StoreConnection? {
        if connection != nil, self === Self.process {
            Self.announceUse()
        }
        return connection
    }

    /// The queue's delegate; held weakly (https://developer.apple.com/documentation/storekit/skpaymentqueue/delegate).
    open var delegate: (any SKPaymentQueueDelegate)? {
        get { observerList.delegate }
        set { observerList.delegate = newValue }
    }

    /// The store's current storefront (https://developer.apple.com/documentation/storekit/skpaymentqueue/storefront).
    ///
    /// Waits at most two seconds for the daemon. While the daemon stays unavailable it does not wait again and returns
    /// the daemon's last answer, or nil before the first.
    open var storefront: SKStorefront? { usedConnection?.storefront }

    /// The application's queue (https://developer.apple.com/documentation/storekit/skpaymentqueue/default()).
    open class func `default`() -> Self {
        guard let queue = current as? Self else {
            preconditionFailure("\(self) has no queue of its own: override default() to make one.")
        }
        return queue
    }

    /// Whether the account is allowed to pay
    /// (https://developer.apple.com/documentation/storekit/skpaymentqueue/canmakepayments()).
    ///
    /// Waits at most two seconds for the daemon. While the daemon stays unavailable it does not wait again and returns
    /// the daemon's last answer, or true before the first. A payment can still be added; the daemon decides once it is
    /// available again.
    open class func canMakePayments() -> Bool {
        current.connection?.canMakePayments ?? true
    }

    /// Adds a copy of a payment and returns immediately
    /// (https://developer.apple.com/documentation/storekit/skpaymentqueue/add(_:)-5s42b).
    ///
    /// While the daemon is unavailable, payments wait in memory, in order. An empty product identifier or a
    /// non-positive quantity is a programming error and terminates the program (see ``misuseHandler``).
    open func add(_ payment: SKPayment) {
        usedConnection?.add(payment)
    }

    /// Restores the account's purchases; observers are notified of exactly one end
    /// (https://developer.apple.com/documentation/storekit/skpaymentqueue/restorecompletedtransactions()).
    open func restoreCompletedTransactions() {
        usedConnection?.daemonConnection.restore(applicationUsername: nil)
    }

    /// Restores the purchases that were made with a username; nil for all
    /// (https://developer.apple.com/documentation/storekit/skpaymentqueue/restorecompletedtransactions(withapplicationusername:)).
    open func restoreCompletedTransactions(withApplicationUsername username: String?) {
        usedConnection?.daemonConnection.restore(applicationUsername: username)
    }

    /// Removes a transaction from the queue; call it once the purchase has been delivered. It has no effect on a
    /// transaction that is finished or not in this queue
    /// (https://developer.apple.com/documentation/storekit/skpaymentqueue/finishtransaction(_:)).
    ///
    /// Finishing a purchasing transaction is a programming error and terminates the program (see ``misuseHandler``).
    open func finishTransaction(_ transaction: SKPaymentTransaction) {
        usedConnection?.finish(transaction)
    }

    /// Starts downloads and returns immediately. Only waiting, failed and cancelled downloads of unfinished
    /// transactions are affected (https://developer.apple.com/documentation/storekit/skpaymentqueue/start(_:)).
    open func start(_ downloads: [SKDownload]) {
        usedConnection?.daemonConnection.control(.start, downloads)
    }

    /// Pauses active downloads (https://developer.apple.com/documentation/storekit/skpaymentqueue/pause(_:)).
    open func pause(_ downloads: [SKDownload]) {
        usedConnection?.daemonConnection.control(.pause, downloads)
    }

    /// Resumes paused downloads (https://developer.apple.com/documentation/storekit/skpaymentqueue/resume(_:)).
    open func resume(_ downloads: [SKDownload]) {
        usedConnection?.daemonConnection.control(.resume, downloads)
    }

    /// Cancels unfinished downloads (https://developer.apple.com/documentation/storekit/skpaymentqueue/cancel(_:)).
    open func cancel(_ downloads: [SKDownload]) {
        usedConnection?.daemonConnection.control(.cancel, downloads)
    }

    /// Adds an observer; it is held weakly, and adding it again has no effect
    /// (https://developer.apple.com/documentation/storekit/skpaymentqueue/add(_:)-8fnc1).
    ///
    /// An observer that is added to a queue without observers receives all unfinished transactions.
    open func add(_ observer: any SKPaymentTransactionObserver) {
        if let usedConnection {
            usedConnection.add(observer)
        } else {
            _ = unconnectedObservers.add(observer)
        }
    }

    /// Removes an observer (https://developer.apple.com/documentation/storekit/skpaymentqueue/remove(_:)).
    open func remove(_ observer: any SKPaymentTransactionObserver) {
        if let usedConnection {
            usedConnection.remove(observer)
        } else {
            _ = unconnectedObservers.remove(ObjectIdentifier(observer))
        }
    }

    /// The current observers (https://developer.apple.com/documentation/storekit/skpaymentqueue/transactionobservers).
    open var transactionObservers: [any SKPaymentTransactionObserver] { observerList.observers }

    /// The unfinished transactions, as reported to observers; valid only while there are observers
    /// (https://developer.apple.com/documentation/storekit/skpaymentqueue/transactions).
    open var transactions: [SKPaymentTransaction] { usedConnection?.daemonConnection.transactions ?? [] }

    /// Does nothing: an authorisation agent asks the user
    /// (https://developer.apple.com/documentation/storekit/skpaymentqueue/showpriceconsentifneeded()).
    open func showPriceConsentIfNeeded() {}

    /// Does nothing: such a sheet does not exist here
    /// (https://developer.apple.com/documentation/storekit/skpaymentqueue/presentcoderedemptionsheet()).
    open func presentCodeRedemptionSheet() {}
}
