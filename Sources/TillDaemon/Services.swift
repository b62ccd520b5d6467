import ServiceLifecycle
import TTRPC
import TillEngine

/// A part of the daemon. Its description is its name, because a service group logs services with their description.
protocol DaemonService: Service, CustomStringConvertible {}

extension DaemonService {
    package var description: String {
        "\(Self.self)"
    }
}

/// Maintains the ledger, and closes it after all other services have stopped.
struct LedgerService: DaemonService {
    let ledger: OpenLedger
    /// Held until the ledger is closed.
    let lock: FileLock
    let watch: FileWatch

    func run() async throws {
        try await watch.explain {
            try await cancelWhenGracefulShutdown { try await ledger.run() }
        }
        let outcome = Result { try watch.checkDurable() }
        // Closing the ledger removes its log file.
        watch.release()
        try await ledger.close()
        try outcome.get()
    }
}

/// Returns freed memory to the system regularly, so that a daemon that runs for months uses no more than a new one.
struct HeapService: DaemonService {
    /// Short enough that little memory is free, and long enough that getting it again costs nothing.
    static let interval = Duration.seconds(60)

    let time: any TimeSource
    let release: @Sendable () -> Void

    func run() async {
        await cancelWhenGracefulShutdown {
            while (try? await time.sleep(for: Self.interval)) != nil {
                release()
            }
        }
    }
}

/// Runs the engine until it is stopped and everything that it accepted is durable.
struct EngineService: DaemonService {
    let engine: PaymentEngine
    /// The content directory's lock, held until no download is active.
    let contentLock: FileLock

    func run() async throws {
        try await withGracefulShutdownHandler {
            try await engine.run()
        } onGracefulShutdown: {
            engine.stop()
        }
    }
}

/// Serves the socket, and removes it when the service stops.
struct ServerService: DaemonService {
    let engine: PaymentEngine
    let server: TTRPCServer
    let socket: ListeningSocket
    let systemd: Systemd
    let grace: Duration

    func run() async throws {
        defer { socket.remove() }
        // Clients must not see the store without the operators' settings.
        try await engine.loadSettings()
        systemd.notify(.ready)
        try await withGracefulShutdownHandler {
            try await server.run(listening: socket.descriptor)
        } onGracefulShutdown: {
            systemd.notify(.stopping)
            server.shutDown(grace: grace)
        }
    }
}
