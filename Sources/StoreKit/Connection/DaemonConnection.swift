import Foundation
import NIOConcurrencyHelpers
import TillClient
import TillModel

/// A queue's connection to one daemon for one application, from first use to the end.
///
/// Items for the daemon wait in send queues, which the connection's task empties. Changes from the daemon are applied
/// and reported on the callback queue, one at a time. An ended connection reports nothing.
final class DaemonConnection: Sendable {
    struct State {
        var registry = TransactionRegistry()
        var restores = RestoreRegistry()
        /// How often a first observer was added.
        var attachment = 0
        /// Purchases that the delegate refused to continue in another storefront.
        var refused: Set<UUID> = []
        var storefront: Storefront?
        var canMakePayments: Bool?
        var blockingQueries = BlockingQueries()
        var task: Task<Void, Never>?
        var isEnded = false
        var hasWarnedOfReceipt = false
    }

    let client: PaymentQueue
    let observerList: ObserverList
    let storefrontAnswer: Duration
    /// Nil if the receipt has no path.
    let receipts: ReceiptRefreshes?
    let payments = SendQueue<Payment>()
    let commands = SendQueue<QueueCommand>()
    /// The deadlines of restores.
    let deadlines = SendQueue<PendingRestore>()
    let downloads = SendQueue<DownloadAction>()
    private let callbackQueue: CallbackQueue
    /// Signals that observers were added or removed; see ``observedAttachment``.
    let observations: AsyncStream<Void>
    private let observation: AsyncStream<Void>.Continuation
    private let state = NIOLockedValueBox(State())

    init(
        _ configuration: ClientConfiguration,
        observerList: ObserverList,
        callbackQueue: CallbackQueue,
        storefrontAnswer: Duration,
        receiptFile: ReceiptFile?
    ) {
        client = PaymentQueue(configuration)
        self.observerList = observerList
        self.callbackQueue = callbackQueue
        self.storefrontAnswer = storefrontAnswer
        receipts = receiptFile.map(ReceiptRefreshes.init)
        (observations, observation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let task = StoreTask.start { await self.run() }
        withState { $0.task = task }
    }

    func withState<Value>(_ body: (inout State) -> Value) -> Value {
        state.withLockedValue { body(&$0) }
    }

    /// Delivers all unfinished transactions to a first observer.
    func attach() {
        // Counted and queued atomically, so that attachments are handled in order.
        withState { state in
            state.attachment += 1
            let attachment = state.attachment
            enqueue { $0.attached(attachment) }
        }
        observation.yield()
    }

    private func attached(_ attachment: Int) {
        notifyUpdated(withState { $0.registry.attach(attachment) })
        if !observerList.isEmpty {
            withState { $0.restores.takeUnreported() }.forEach { notifyRestoreEnded($0) }
        }
    }

    /// Stops following the queue after the last observer was removed.
    func detach() {
        observation.yield()
    }

    /// The attachment of the current observers; nil if there are none.
    ///
    /// Computed on demand because observers may be added and removed on several threads concurrently.
    var observedAttachment: Int? {
        observerList.isEmpty ? nil : withState { $0.attachment }
    }

    /// Runs a callback after the waiting ones, unless the connection has ended by then.
    func enqueue(_ callback: @escaping @Sendable (DaemonConnection) -> Void) {
        callbackQueue.enqueue { self.unlessEnded(callback) }
    }

    /// Runs a callback after the waiting ones, unless the connection has ended by then, and returns afterwards.
    func deliver(_ callback: @escaping @Sendable (DaemonConnection) -> Void) async {
        await callbackQueue.perform { self.unlessEnded(callback) }
    }

    private func unlessEnded(_ callback: (DaemonConnection) -> Void) {
        if !withState({ $0.isEnded }) {
            SKPaymentQueue.whileCurrent(observerList.queue) { callback(self) }
        }
    }

    /// Stops all notifications and disconnects from the daemon.
    @discardableResult
    func end() -> Task<Void, Never>? {
        let task = withState { state in
            state.isEnded = true
            state.registry.releaseDownloads()
            return state.task
        }
        task?.cancel()
        return task
    }

    /// Ends the connection and waits until all its work has ended.
    func ended() async {
        await end()?.value
    }

    func notifyUpdated(_ transactions: [SKPaymentTransaction]) {
        guard !transactions.isEmpty else {
            return
        }
        observerList.notify { $1.paymentQueue($0, updatedTransactions: transactions) }
    }

    func notifyRemoved(_ transactions: [SKPaymentTransaction]) {
        guard !transactions.isEmpty else {
            return
        }
        observerList.notify { $1.paymentQueue($0, removedTransactions: transactions) }
    }

    func notifyRestoreEnded(_ error: (any Error)?) {
        if let error {
            observerList.notify { $1.paymentQueue($0, restoreCompletedTransactionsFailedWithError: error) }
        } else {
            observerList.notify { $1.paymentQueueRestoreCompletedTransactionsFinished($0) }
        }
    }
}

/// An in-memory queue of items to send to the daemon in order.
struct SendQueue<Item: Sendable>: Sendable {
    /// The maximum number of waiting items; more are refused.
    static var maximum: Int { 10_000 }

    let items: AsyncStream<Item>
    private let continuation: AsyncStream<Item>.Continuation

    init() {
        (items, continuation) = AsyncStream.makeStream(of: Item.self, bufferingPolicy: .bufferingOldest(Self.maximum))
    }

    /// - Returns: Whether the queue had room.
    func append(_ item: Item) -> Bool {
        if case .enqueued = continuation.yield(item) { true } else { false }
    }
}
