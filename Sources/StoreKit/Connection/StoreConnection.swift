import Foundation
import NIOConcurrencyHelpers
package import TillClient

/// What stands behind one ``SKPaymentQueue``: its observers, and the link to the daemon, made when it is first needed.
///
/// For tests of other targets:
/// - `SKPaymentQueue.process.connection` is the one of `SKPaymentQueue.default()`. `connect(_:)` points it to another
///   socket and application: what it knew is forgotten, what was under way is told to nobody, and its observers stay and
///   are given what is unfinished there. `disconnect()` ends the link and waits until it has ended; the next use makes a
///   new one. `reset()` also forgets observers, delegate and configuration.
/// - `SKPaymentQueue(connection:)` with a `StoreConnection(configuration)` is a queue of its own beside the process's, for
///   tests that run in parallel; the caller keeps it. Within `SKPaymentQueue.$replacement.withValue(queue) { … }` it is
///   what `SKPaymentQueue.default()`, `canMakePayments()` and requests that are started use.
package final class StoreConnection: Sendable {
    /// How long a call that has to answer at once waits for the daemon.
    package static let waitDefault = Duration.seconds(2)
    /// How long a delegate may take to say whether a transaction goes on in another storefront.
    package static let storefrontAnswerDefault = Duration.seconds(1)

    private struct State: Sendable {
        var configuration: ClientConfiguration?
        var receiptPath: String?
        var link: StoreLink?

        var receiptFile: ReceiptFile? {
            receiptPath.map(ReceiptFile.init)
                ?? .standard(
                    application: configuration?.application ?? ApplicationName.current,
                    environment: ProcessInfo.processInfo.environment
                )
        }
    }

    package let audience = Audience()
    package let delivery: Delivery
    private let wait: Duration
    private let storefrontAnswer: Duration
    private let state: NIOLockedValueBox<State>

    /// - Parameters:
    ///   - configuration: Nil for the daemon and the application that the process's environment names.
    ///   - receiptPath: The file of the application's receipt; nil for where it always is.
    ///   - delivery: What makes the callbacks; nil for the process's.
    package init(
        _ configuration: ClientConfiguration? = nil,
        receiptPath: String? = nil,
        delivery: Delivery? = nil,
        wait: Duration = waitDefault,
        storefrontAnswer: Duration = storefrontAnswerDefault
    ) {
        state = NIOLockedValueBox(State(configuration: configuration, receiptPath: receiptPath))
        self.delivery = delivery ?? .process
        self.wait = wait
        self.storefrontAnswer = storefrontAnswer
    }

    deinit {
        state.withLockedValue { $0.link }?.end()
    }

    /// What it was given last; nil for what the process's environment names.
    package var configuration: ClientConfiguration? {
        state.withLockedValue { $0.configuration }
    }

    /// Begins anew with another daemon or application.
    package func connect(_ configuration: ClientConfiguration, receiptPath: String? = nil) {
        let old = replaceLink(with: State(configuration: configuration, receiptPath: receiptPath))
        old?.end()
        if !audience.observers.isEmpty {
            link.attach()
        }
    }

    /// Ends the link, and waits until nothing of it runs any more.
    package func disconnect() async {
        let old = state.withLockedValue { state in
            defer { state.link = nil }
            return state.link
        }
        await old?.ended()
    }

    /// Forgets everything: the link, the configuration, the observers and the delegate.
    package func reset() async {
        audience.clear()
        await disconnect()
        state.withLockedValue { state in
            state.configuration = nil
            state.receiptPath = nil
        }
    }

    private func replaceLink(with new: State) -> StoreLink? {
        state.withLockedValue { state in
            defer { state = new }
            return state.link
        }
    }

    /// The link that there is, or a new one.
    var link: StoreLink {
        state.withLockedValue { state in
            if let link = state.link {
                return link
            }
            let link = StoreLink(
                state.configuration ?? ClientConfiguration(application: ApplicationName.current),
                audience: audience,
                delivery: delivery,
                storefrontAnswer: storefrontAnswer,
                receiptFile: state.receiptFile
            )
            state.link = link
            return link
        }
    }

    /// Where the application's receipt is, or will be.
    var receiptURL: URL? {
        state.withLockedValue { $0.receiptFile?.url }
    }

    func add(_ observer: any SKPaymentTransactionObserver) {
        if audience.add(observer) {
            link.attach()
        }
    }

    func remove(_ observer: any SKPaymentTransactionObserver) {
        if audience.remove(ObjectIdentifier(observer)) {
            link.detach()
        }
    }

    func add(_ payment: SKPayment) {
        let fields = payment.snapshot
        if fields.productIdentifier.isEmpty {
            Misuse.report("A payment's product identifier must not be empty.")
        } else if fields.quantity <= 0 {
            Misuse.report("A payment's quantity must be at least 1.")
        } else {
            link.add(fields)
        }
    }

    func finish(_ transaction: SKPaymentTransaction) {
        switch transaction.transactionState {
        case .purchasing: Misuse.report("Cannot finish a purchasing transaction")
        case .deferred: StandardError.write("A deferred transaction cannot be finished; it goes on.")
        default: link.finish(transaction)
        }
    }

    var storefront: SKStorefront? {
        let link = link
        link.inquire(.storefront, within: wait)
        return link.withState { $0.storefront }.map {
            SKStorefront(countryCode: $0.countryCode, identifier: $0.identifier)
        }
    }

    var canMakePayments: Bool {
        let link = link
        link.inquire(.canMakePayments, within: wait)
        return link.withState { $0.canMakePayments } ?? true
    }

    /// Makes a callback and returns once it was made.
    func deliver(_ callback: @escaping @Sendable () -> Void) async {
        let audience = audience
        await delivery.perform { SKPaymentQueue.whileCurrent(audience.queue, callback) }
    }
}
