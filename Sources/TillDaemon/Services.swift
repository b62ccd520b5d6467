import ServiceLifecycle
import TTRPC
import TillEngine
import TillSQLite

/// A part of the daemon. It prints as its name: a group of services prints them for its log, with all that they hold.
protocol DaemonService: Service, CustomStringConvertible {}

extension DaemonService {
    package var description: String {
        "\(Self.self)"
    }
}

/// Keeps the ledger's file in order, and closes it after everybody else.
struct LedgerService: DaemonService {
    let ledger: SQLiteLedger
    /// Held until the ledger is closed.
    let lock: FileLock
    let watch: FileWatch

    func run() async throws {
        try await cancelWhenGracefulShutdown { try await ledger.run() }
        let outcome = Result { try watch.checkDurable() }
        // Closing takes the log's name away.
        watch.release()
        try await ledger.close()
        try outcome.get()
    }
}

/// Gives freed memory back now and then, so that a daemon that runs for months holds no more than one that has begun.
struct HeapService: DaemonService {
    /// Often enough that what was free is not much, and seldom enough that fetching it again costs nothing.
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

/// Runs the engine until it is told to stop, and then until all it accepted is durable.
struct EngineService: DaemonService {
    let engine: PaymentEngine
    /// The content directory's, held until no download is at work.
    let contentLock: FileLock

    func run() async throws {
        try await withGracefulShutdownHandler {
            try await engine.run()
        } onGracefulShutdown: {
            engine.stop()
        }
    }
}

/// Serves the socket, and takes its name away when it stops.
struct ServerService: DaemonService {
    let engine: PaymentEngine
    let server: TTRPCServer
    let socket: ListeningSocket
    let grace: Duration

    func run() async throws {
        defer { socket.remove() }
        // Nobody is to be shown the store as operators have not set it.
        try await engine.loadSettings()
        try await withGracefulShutdownHandler {
            try await server.run(listening: socket.descriptor)
        } onGracefulShutdown: {
            server.shutDown(grace: grace)
        }
    }
}
