import Foundation
import Logging
import NIOConcurrencyHelpers
@testable import StoreKit
import TTRPC
import TillClient
import TillDaemon
import TillEngine
import TillModel
import TillService
import TillSQLite
import TillTesting

/// A store in this process: an engine with a ledger in memory, served on its own socket.
struct StoreHarness: Sendable {
    static let application = "org.example.notes"

    let socketPath: String
    let provider = GatedProvider()
    let catalogue: TestCatalogue
    let downloader = ScriptedDownloader()
    let engine: PaymentEngine
    let operatorClient: TillOperator
    private let queues = NIOLockedValueBox<[SKPaymentQueue]>([])

    /// Runs a store with a daemon, and removes everything afterwards.
    static func run(
        _ configure: (inout EngineConfiguration) -> Void = { _ in },
        _ body: (StoreHarness) async throws -> Void
    ) async throws {
        try await runUnserved(configure) { store in
            try await store.serving { try await body(store) }
        }
    }

    /// Runs a store whose daemon is only available within ``serving(_:)``.
    static func runUnserved(
        _ configure: (inout EngineConfiguration) -> Void = { _ in },
        _ body: (StoreHarness) async throws -> Void
    ) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "till-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: directory) }
        var configuration = EngineConfiguration()
        configure(&configuration)
        let store = try StoreHarness(socketPath: directory.appending(path: "s").path, configuration)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await store.engine.run() }
            let outcome = await outcome { try await body(store) }
            store.provider.charges.open()
            store.provider.restores.open()
            for queue in store.queues.withLockedValue({ $0 }) {
                await queue.connection?.disconnect()
            }
            await store.operatorClient.close()
            store.engine.stop()
            try await group.waitForAll()
            try outcome.get()
        }
    }

    private init(socketPath: String, _ configuration: EngineConfiguration) throws {
        self.socketPath = socketPath
        catalogue = TestCatalogue()
        engine = PaymentEngine(
            ledger: try SQLiteLedger.inMemory(),
            catalogue: catalogue,
            provider: SettableProvider(provider),
            receipts: PlainSigner(),
            downloader: downloader,
            configuration: configuration,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            time: AdjustableTime()
        )
        operatorClient = TillOperator(ClientConfiguration(application: "test", socketPath: socketPath))
    }

    /// Serves the socket while `body` runs.
    ///
    /// - Parameter path: The socket to serve; nil for the store's own socket, or another store's socket to replace that
    ///   store.
    func serving(at path: String? = nil, _ body: () async throws -> Void) async throws {
        let socket = try await ListeningSocket.whenFree(path ?? socketPath)
        let service = TillService(engine: engine, policy: AccessPolicy(own: geteuid()), server: "test/1")
        var limits = TTRPCServer.Limits()
        limits.requestRate = nil
        let server = TTRPCServer(limits: limits, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }) {
            service.methods(for: $0)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run(listening: socket.descriptor) }
            let outcome = await Self.outcome(body)
            socket.remove()
            server.shutDown(grace: .zero)
            try await group.waitForAll()
            try outcome.get()
        }
    }

    /// A queue as a newly started application process has it, with callbacks on its own dispatch queue.
    func queue(
        callbackQueue: CallbackQueue = CallbackQueue(queue: DispatchQueue(label: "test")),
        application: String = application,
        wait: Duration = .seconds(60),
        storefrontAnswer: Duration = .seconds(60),
        configure: (inout ClientConfiguration) -> Void = { _ in }
    ) -> SKPaymentQueue {
        var configuration = ClientConfiguration(application: application, socketPath: socketPath)
        configure(&configuration)
        let connection = StoreConnection(
            configuration,
            receiptPath: "\(socketPath).receipts/\(UUID().uuidString)/receipt",
            callbackQueue: callbackQueue,
            wait: wait,
            storefrontAnswer: storefrontAnswer
        )
        let queue = SKPaymentQueue(connection: connection)
        queues.withLockedValue { $0.append(queue) }
        return queue
    }

    /// A queue with an observer that already follows it.
    func observed(finishes: Bool = false) -> (queue: SKPaymentQueue, observer: Recorder) {
        let (queue, observer) = (queue(), Recorder(finishes: finishes))
        queue.add(observer)
        return (queue, observer)
    }

    /// Changes the store's settings.
    func set(_ setting: StoreSettings.Key, _ value: String) async throws {
        try await operatorClient.changeSettings([setting.rawValue: value], because: "test")
    }

    /// The transactions in the engine's queue of the application, finished or not, the oldest first.
    func stored() async throws -> [Transaction] {
        let filter = TransactionFilter(application: name.application, account: name.account)
        return try await engine.operatorTransactions(matching: filter, token: 0, limit: 32).page.map(\.transaction)
    }

    /// Buys and finishes as another process of the application would.
    @discardableResult
    func own(_ product: String, username: String? = nil) async throws -> Transaction {
        try await own(Payment(productID: product, applicationUsername: username))
    }

    @discardableResult
    func own(_ payment: Payment) async throws -> Transaction {
        let bought = try await buy(payment)
        _ = try await engine.finishTransaction(bought.id, in: name)
        return bought
    }

    /// Buys as another process of the application would.
    @discardableResult
    func buy(_ product: String, username: String? = nil) async throws -> Transaction {
        try await buy(Payment(productID: product, applicationUsername: username))
    }

    private func buy(_ payment: Payment) async throws -> Transaction {
        _ = try await engine.addPayment(payment, to: name)
        while true {
            if let final = try await stored().first(where: { $0.id == payment.id && $0.state.isFinal }) {
                return final
            }
            try await Task.yieldUnlessCancelled()
        }
    }

    /// The application's queue at the engine.
    var name: QueueName {
        QueueName(application: Self.application, account: "uid:\(geteuid())")
    }

    private static func outcome(_ body: () async throws -> Void) async -> Result<Void, any Error> {
        do {
            return .success(try await body())
        } catch {
            return .failure(error)
        }
    }
}
