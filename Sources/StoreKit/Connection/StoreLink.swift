import Foundation
import NIOConcurrencyHelpers
import TillClient
import TillModel

/// A queue's connection to one daemon for one application, from its first use to its end.
///
/// What goes to the daemon waits in lanes, which its task empties; what comes from it is shown and told on the delivery
/// queue, one change at a time. A link that has ended tells nobody anything.
final class StoreLink: Sendable {
    struct State {
        var registry = TransactionRegistry()
        var restores = RestoreRegistry()
        /// How often a first observer has come.
        var attachment = 0
        /// Purchases that the delegate did not want to go on in another storefront.
        var refused: Set<UUID> = []
        var storefront: Storefront?
        var canMakePayments: Bool?
        var inquiries = Inquiries()
        var task: Task<Void, Never>?
        var isEnded = false
        var hasWarnedOfReceipt = false
    }

    let client: PaymentQueue
    let audience: Audience
    let storefrontAnswer: Duration
    /// Nil where there is no place for it.
    let receipts: ReceiptRefreshes?
    let payments = Lane<Payment>()
    let orders = Lane<QueueOrder>()
    /// Of restores.
    let deadlines = Lane<RestoreOrder>()
    let downloads = Lane<DownloadOrder>()
    private let delivery: Delivery
    /// That observers came, or have gone; see ``observedAttachment``.
    let observations: AsyncStream<Void>
    private let observation: AsyncStream<Void>.Continuation
    private let state = NIOLockedValueBox(State())

    init(
        _ configuration: ClientConfiguration,
        audience: Audience,
        delivery: Delivery,
        storefrontAnswer: Duration,
        receiptFile: ReceiptFile?
    ) {
        client = PaymentQueue(configuration)
        self.audience = audience
        self.delivery = delivery
        self.storefrontAnswer = storefrontAnswer
        receipts = receiptFile.map(ReceiptRefreshes.init)
        (observations, observation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let task = StoreTask.start { await self.run() }
        withState { $0.task = task }
    }

    func withState<Value>(_ body: (inout State) -> Value) -> Value {
        state.withLockedValue { body(&$0) }
    }

    /// A first observer has come: it is given everything unfinished.
    func attach() {
        // In one, so that who comes later is shown later.
        withState { state in
            state.attachment += 1
            let attachment = state.attachment
            enqueue { $0.attached(attachment) }
        }
        observation.yield()
    }

    private func attached(_ attachment: Int) {
        tellUpdated(withState { $0.registry.attach(attachment) })
        if !audience.isEmpty {
            withState { $0.restores.takeUntold() }.forEach { tellRestoreEnded($0) }
        }
    }

    /// The last observer has gone.
    func detach() {
        observation.yield()
    }

    /// The attachment of the observers that there are; nil while there are none.
    ///
    /// Looked up when it is needed, for observers may come and go on several threads at once.
    var observedAttachment: Int? {
        audience.isEmpty ? nil : withState { $0.attachment }
    }

    /// Shows or tells something after what waits already, unless the link has ended by then.
    func enqueue(_ callback: @escaping @Sendable (StoreLink) -> Void) {
        delivery.enqueue { self.unlessEnded(callback) }
    }

    /// The same, and returns once it was told.
    func deliver(_ callback: @escaping @Sendable (StoreLink) -> Void) async {
        await delivery.perform { self.unlessEnded(callback) }
    }

    private func unlessEnded(_ callback: (StoreLink) -> Void) {
        if !withState({ $0.isEnded }) {
            SKPaymentQueue.whileCurrent(audience.queue) { callback(self) }
        }
    }

    /// Tells nobody anything any more, and lets go of the daemon.
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

    /// The same, and returns once nothing of it runs.
    func ended() async {
        await end()?.value
    }

    func tellUpdated(_ transactions: [SKPaymentTransaction]) {
        guard !transactions.isEmpty else {
            return
        }
        audience.tell { $1.paymentQueue($0, updatedTransactions: transactions) }
    }

    func tellRemoved(_ transactions: [SKPaymentTransaction]) {
        guard !transactions.isEmpty else {
            return
        }
        audience.tell { $1.paymentQueue($0, removedTransactions: transactions) }
    }

    func tellRestoreEnded(_ error: (any Error)?) {
        if let error {
            audience.tell { $1.paymentQueue($0, restoreCompletedTransactionsFailedWithError: error) }
        } else {
            audience.tell { $1.paymentQueueRestoreCompletedTransactionsFinished($0) }
        }
    }
}
