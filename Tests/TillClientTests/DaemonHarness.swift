import Foundation
import FoundationEssentials
import Logging
import TTRPC
import TillClient
import TillDaemon
import TillEngine
import TillModel
import TillService
import TillSQLite
import TillTesting

/// The engine and the services of a daemon in this process, with a ledger in memory, on a socket of their own.
struct DaemonHarness: Sendable {
    static let application = "org.example.notes"

    let socketPath: String
    let provider: GatedProvider
    let engine: PaymentEngine
    let policy: AccessPolicy

    /// Runs an engine, and removes everything afterwards. The socket is served only within ``serving(_:)``.
    static func run(
        provider: GatedProvider = GatedProvider(),
        policy: AccessPolicy = AccessPolicy(own: geteuid()),
        _ body: (DaemonHarness) async throws -> Void
    ) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "till-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: directory) }
        let path = directory.appending(path: "s").path
        try await run(socketPath: path, provider: provider, policy: policy, body)
    }

    /// The same on a socket in an existing directory, as after a restart of a daemon with an empty ledger.
    ///
    /// - Parameter ledger: Nil for a new one in memory.
    static func run(
        socketPath: String,
        provider: GatedProvider = GatedProvider(),
        policy: AccessPolicy = AccessPolicy(own: geteuid()),
        ledger: (any Ledger)? = nil,
        time: any TimeSource = SystemTime(),
        makeID: @escaping @Sendable () -> UUID = { .version7() },
        _ body: (DaemonHarness) async throws -> Void
    ) async throws {
        let harness = DaemonHarness(
            socketPath: socketPath,
            provider: provider,
            engine: PaymentEngine(
                ledger: try ledger ?? SQLiteLedger.inMemory(),
                catalogue: TestCatalogue(),
                provider: provider,
                configuration: EngineConfiguration(),
                logger: .silent,
                time: time,
                makeID: makeID
            ),
            policy: policy
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await harness.engine.run() }
            let outcome = await outcome { try await body(harness) }
            // Releases calls that a test left held, so that the engine can end.
            provider.charges.open()
            provider.restores.open()
            harness.engine.stop()
            try await group.waitForAll()
            try outcome.get()
        }
    }

    /// Serves the socket while `body` runs.
    func serving<Value: Sendable>(_ body: (TTRPCServer) async throws -> Value) async throws -> Value {
        let socket = try await ListeningSocket.whenFree(socketPath)
        let service = TillService(engine: engine, policy: policy, server: "test/1")
        var limits = TTRPCServer.Limits()
        limits.requestRate = nil
        let server = TTRPCServer(limits: limits, logger: .silent) { service.methods(for: $0) }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run(listening: socket.descriptor) }
            let outcome = await Self.outcome { try await body(server) }
            socket.remove()
            server.shutDown(grace: .zero)
            try await group.waitForAll()
            return try outcome.get()
        }
    }

    /// A new client of the daemon.
    func queue(
        application: String = application,
        configure: (inout ClientConfiguration) -> Void = { _ in }
    ) -> PaymentQueue {
        var configuration = ClientConfiguration(application: application, socketPath: socketPath)
        configure(&configuration)
        return PaymentQueue(configuration)
    }

    /// The name of the queue that ``queue(application:configure:)`` returns.
    var name: QueueName {
        QueueName(application: Self.application, account: "uid:\(geteuid())")
    }

    private static func outcome<Value: Sendable>(_ body: () async throws -> Value) async -> Result<Value, any Error> {
        do {
            return .success(try await body())
        } catch {
            return .failure(error)
        }
    }
}

extension Logger {
    static var silent: Logger {
        Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    }
}

extension DaemonHarness {
    /// Waits, without a client, until the transaction is purchased, failed or restored.
    func final(_ id: UUID) async throws -> Transaction {
        while true {
            let (page, _) = try await engine.transactions(
                in: name,
                token: 0,
                includeFinished: true,
                limit: PaymentEngine.pageDefault
            )
            if let transaction = page.first(where: { $0.id == id && $0.state.isFinal }) {
                return transaction
            }
            try await Task.yieldUnlessCancelled()
        }
    }

    /// Buys without a client.
    func buy(_ product: String) async throws -> Transaction {
        let payment = Payment(productID: product)
        _ = try await engine.addPayment(payment, to: name)
        return try await final(payment.id)
    }

    /// Buys and finishes without a client.
    func own(_ product: String) async throws {
        try await finish(try await buy(product))
    }

    /// Finishes without a client.
    func finish(_ transaction: Transaction) async throws {
        _ = try await engine.finishTransaction(transaction.id, in: name)
    }
}
