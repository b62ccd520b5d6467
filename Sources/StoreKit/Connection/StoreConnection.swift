import Foundation
import NIOConcurrencyHelpers
package import TillClient
import TillModel

/// The implementation of one ``SKPaymentQueue``: its observers, and its connection to the daemon, which is created on
/// first use.
///
/// For tests of other targets:
/// - `SKPaymentQueue.process.connection` belongs to `SKPaymentQueue.default()`. `connect(_:)` switches it to another
///   socket and application: it discards its state, reports nothing about calls in progress, keeps its observers and
///   delivers the unfinished transactions of the new store to them. `disconnect()` ends the connection to the daemon
///   and waits until it has ended; the next use creates a new one. `reset()` also removes observers, delegate and
///   configuration.
/// - `SKPaymentQueue(connection:)` with a `StoreConnection(configuration)` creates a separate queue for tests that run
///   in parallel; the caller keeps it. Within `SKPaymentQueue.$replacement.withValue(queue) { … }`,
///   `SKPaymentQueue.default()`, `canMakePayments()` and started requests use it.
package final class StoreConnection: Sendable {
    /// How long a synchronous call waits for the daemon.
    package static let waitDefault = Duration.seconds(2)
    /// How long a delegate may take to decide whether a transaction continues in another storefront.
    package static let storefrontAnswerDefault = Duration.seconds(1)

    private struct State: Sendable {
        var configuration: ClientConfiguration?
        var receiptPath: String?
        var daemonConnection: DaemonConnection?

        var receiptFile: ReceiptFile? {
            receiptPath.map(ReceiptFile.init)
                ?? .standard(
                    application: configuration?.application ?? ApplicationName.current,
                    environment: ProcessInfo.processInfo.environment
                )
        }
    }

    package let observerList = ObserverList()
    package let callbackQueue: CallbackQueue
    private let wait: Duration
    private let storefrontAnswer: Duration
    private let state: NIOLockedValueBox<State>

    /// - Parameters:
    ///   - configuration: The daemon and the application; nil to take them from the process's environment.
    ///   - receiptPath: The path of the application's receipt; nil for the standard path.
    ///   - callbackQueue: Runs the callbacks; nil for the process's callback queue.
    package init(
        _ configuration: ClientConfiguration? = nil,
        receiptPath: String? = nil,
        callbackQueue: CallbackQueue? = nil,
        wait: Duration = waitDefault,
        storefrontAnswer: Duration = storefrontAnswerDefault
    ) {
        state = NIOLockedValueBox(State(configuration: configuration, receiptPath: receiptPath))
        self.callbackQueue = callbackQueue ?? .process
        self.wait = wait
        self.storefrontAnswer = storefrontAnswer
    }

    deinit {
        state.withLockedValue { $0.daemonConnection }?.end()
    }

    /// The current configuration; nil if it comes from the process's environment.
    package var configuration: ClientConfiguration? {
        state.withLockedValue { $0.configuration }
    }

    /// Switches to another daemon or application.
    package func connect(_ configuration: ClientConfiguration, receiptPath: String? = nil) {
        let old = replaceConnection(with: State(configuration: configuration, receiptPath: receiptPath))
        old?.end()
        if !observerList.observers.isEmpty {
            daemonConnection.attach()
        }
    }

    /// Ends the connection to the daemon and waits until all its work has ended.
    package func disconnect() async {
        let old = state.withLockedValue { state in
            defer { state.daemonConnection = nil }
            return state.daemonConnection
        }
        await old?.ended()
    }

    /// Discards the connection to the daemon, the configuration, the observers and the delegate.
    package func reset() async {
        observerList.clear()
        await disconnect()
        state.withLockedValue { state in
            state.configuration = nil
            state.receiptPath = nil
        }
    }

    private func replaceConnection(with new: State) -> DaemonConnection? {
        state.withLockedValue { state in
            defer { state = new }
            return state.daemonConnection
        }
    }

    /// The connection to the daemon; created on first use.
    var daemonConnection: DaemonConnection {
        state.withLockedValue { state in
            if let daemonConnection = state.daemonConnection {
                return daemonConnection
            }
            let daemonConnection = DaemonConnection(
                state.configuration ?? ClientConfiguration(application: ApplicationName.current),
                observerList: observerList,
                callbackQueue: callbackQueue,
                storefrontAnswer: storefrontAnswer,
                receiptFile: state.receiptFile
            )
            state.daemonConnection = daemonConnection
            return daemonConnection
        }
    }

    /// The URL of the application's receipt, whether or not it exists yet.
    var receiptURL: URL? {
        state.withLockedValue { $0.receiptFile?.url }
    }

    func add(_ observer: any SKPaymentTransactionObserver) {
        if observerList.add(observer) {
            daemonConnection.attach()
        }
    }

    func remove(_ observer: any SKPaymentTransactionObserver) {
        if observerList.remove(ObjectIdentifier(observer)) {
            daemonConnection.detach()
        }
    }

    func add(_ payment: SKPayment) {
        let values = payment.snapshot
        if values.productIdentifier.isEmpty {
            Misuse.report("A payment's product identifier must not be empty.")
        } else if values.quantity <= 0 {
            Misuse.report("A payment's quantity must be at least 1.")
        } else {
            daemonConnection.add(values)
        }
    }

    func finish(_ transaction: SKPaymentTransaction) {
        switch transaction.transactionState {
        case .purchasing: Misuse.report("Cannot finish a purchasing transaction")
        case .deferred: StandardError.write("A deferred transaction cannot be finished; it stays in the queue.")
        default: daemonConnection.finish(transaction)
        }
    }

    var storefront: SKStorefront? {
        let daemonConnection = daemonConnection
        daemonConnection.query(.storefront, within: wait)
        return daemonConnection.withState { $0.storefront }.map {
            SKStorefront(countryCode: $0.countryCode, identifier: $0.identifier)
        }
    }

    var canMakePayments: Bool {
        let daemonConnection = daemonConnection
        daemonConnection.query(.canMakePayments, within: wait)
        return daemonConnection.withState { $0.canMakePayments } ?? true
    }

    /// Runs a callback on the callback queue and returns once it has run.
    func deliver(_ callback: @escaping @Sendable () -> Void) async {
        let observerList = observerList
        await callbackQueue.perform { SKPaymentQueue.whileCurrent(observerList.queue, callback) }
    }
}

/// The application's default name for the daemon.
enum ApplicationName {
    static var current: String {
        name(
            environment: ProcessInfo.processInfo.environment,
            bundleIdentifier: Bundle.main.bundleIdentifier,
            executable: ProcessInfo.processInfo.processName
        )
    }

    static func name(environment: [String: String], bundleIdentifier: String?, executable: String) -> String {
        if let name = environment["TILL_APPLICATION"], !name.isEmpty {
            return name
        }
        if let name = bundleIdentifier, Identifier.isValid(name) {
            return name
        }
        let allowed = executable.unicodeScalars.prefix(Identifier.maximumBytes).map { scalar in
            Identifier.isValid(String(scalar)) ? Character(scalar) : "-"
        }
        return allowed.isEmpty ? "application" : String(allowed)
    }
}
