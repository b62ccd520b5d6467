import Foundation
import Glibc
import Logging
import NIOConcurrencyHelpers
import NIOCore
import TillCatalogue
import TillDownloads
import TillEngine
import TillModel
import TillReceipts
import TillSQLite
import TillService
import TTRPC

extension SessionServer {
    /// Terminates the server as if it crashed: committed data stays. Does nothing if it is already killed.
    func kill() throws(SKTestError) {
        try exclusively { () throws(SKTestError) in try end() }
    }

    /// Restarts the server with its previous ledger. Does nothing if it is running.
    func restart() throws(SKTestError) {
        try exclusively { () throws(SKTestError) in
            if engine == nil {
                try begin()
            }
        }
    }

    /// Closes all connections; clients may reconnect immediately.
    func dropConnections() throws(SKTestError) {
        try exclusively { () throws(SKTestError) in
            guard let run = state.withLockedValue({ $0.run }) else {
                return
            }
            // The new server listens before the previous one ends.
            let task = try serve(run.engine)
            state.withLockedValue { $0.run?.serverTask = task }
            run.serverTask.cancel()
            try wait { await run.serverTask.value }
        }
    }

    /// Removes these transactions and those derived from them. Connections are closed, because clients learn of the
    /// removal through a new initial delivery.
    func remove(_ keys: @escaping @Sendable (any LedgerReader) throws -> Set<Int64>) throws(SKTestError) {
        try exclusively { () throws(SKTestError) in
            let wasRunning = engine != nil
            try end()
            let ledger = state.withLockedValue { $0.ledger }
            let copy = try wait { try ledger.copy(removing: try await ledger.read(keys)) }
            state.withLockedValue { $0.ledger = copy }
            if wasRunning {
                try begin()
            }
        }
    }

    /// Ends everything without waiting.
    func abandon() {
        endpoint.remove()
        provider.sleeping.close()
        guard let run = state.withLockedValue({ $0.run }) else {
            return
        }
        run.serverTask.cancel()
        run.engine.stop()
    }

    func begin() throws(SKTestError) {
        provider.sleeping.open()
        let engine = try makeEngine(state.withLockedValue { $0.ledger }, makeDownloader())
        // Load the settings first, so that no client sees the store with other settings.
        try wait { try await engine.loadSettings() }
        let serverTask = try serve(engine)
        let engineTask = thread.start { try? await engine.run() }
        state.withLockedValue { $0.run = Run(engine: engine, engineTask: engineTask, serverTask: serverTask) }
    }

    private func end() throws(SKTestError) {
        let run = state.withLockedValue { state in
            defer { state.run = nil }
            return state.run
        }
        guard let run else {
            return
        }
        endpoint.remove()
        run.serverTask.cancel()
        try wait { await run.serverTask.value }
        provider.sleeping.close()
        run.engine.stop()
        try wait { await run.engineTask.value }
    }

    /// Nil for a store that hosts no content.
    private func makeDownloader() throws(SKTestError) -> HostedContentDownloader? {
        guard catalogue.file.products.contains(where: { !$0.contents.isEmpty }) else {
            return nil
        }
        do {
            return try HostedContentDownloader(DownloaderConfiguration(directory: "\(endpoint.path).content"))
        } catch {
            throw SKTestError(error)
        }
    }

    private func makeEngine(
        _ ledger: SQLiteLedger,
        _ downloader: HostedContentDownloader?
    ) throws(SKTestError) -> PaymentEngine {
        PaymentEngine(
            ledger: ledger,
            catalogue: catalogue,
            provider: provider,
            receipts: try SessionReceipts.authority(),
            downloader: downloader,
            configuration: EngineConfiguration(),
            logger: Self.logger,
            time: time
        )
    }

    private func serve(_ engine: PaymentEngine) throws(SKTestError) -> ServerThread.Work {
        let service = TillService(engine: engine, policy: AccessPolicy(own: geteuid()), server: "StoreKitTest/1")
        let server = TTRPCServer(limits: Self.limits, logger: Self.logger, on: thread.loop) {
            service.methods(for: $0)
        }
        let descriptor = try endpoint.listen()
        return thread.start { try? await server.run(listening: descriptor) }
    }

    private static let logger = Logger(label: "StoreKitTest") { _ in SwiftLogNoOpLogHandler() }

    /// The timeout for slow clients, whose threads other tests may block.
    private static let clientTimeout = TimeAmount.minutes(10)

    /// All clients belong to this process and are as busy as its tests.
    private static var limits: TTRPCServer.Limits {
        var limits = TTRPCServer.Limits()
        limits.requestRate = nil
        limits.connectionsPerUser = limits.connectionsInAll
        limits.firstFrame = clientTimeout
        limits.frameCompletion = clientTimeout
        limits.outboundStall = clientTimeout
        return limits
    }
}

/// Signs receipts for all sessions of the process as Xcode does, with certificates that no application needs to trust.
enum SessionReceipts {
    private static let made = Result { () throws(TillError) in
        try ReceiptAuthority(
            environment: .xcode,
            date: Date(),
            logger: Logger(label: "StoreKitTest") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    static func authority() throws(SKTestError) -> ReceiptAuthority {
        do {
            return try made.get()
        } catch {
            throw SKTestError(error)
        }
    }
}
