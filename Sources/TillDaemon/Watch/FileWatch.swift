import Foundation
import ServiceLifecycle
import TillEngine
import TillModel

/// The files without which nothing that the daemon answers would last, and the socket.
struct FileWatch: Sendable {
    /// How long a daemon that commits nothing serves on after one of its files is gone.
    static let interval = Duration.seconds(1)

    /// What every commit needs: they are looked at before it is answered.
    let durable: [WatchedFile]
    /// The socket, by which clients reach the daemon.
    let socket: WatchedFile

    func checkDurable() throws(WatchedFile.Gone) {
        for file in durable {
            try file.check()
        }
    }

    /// Ends the watch over what commits need.
    func release() {
        durable.forEach { $0.release() }
    }

    func checkAll() throws(WatchedFile.Gone) {
        try checkDurable()
        try socket.check()
    }
}

/// Stops the daemon once one of its files is gone.
struct FileWatchService: DaemonService {
    let watch: FileWatch
    let time: any TimeSource

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            while (try? await time.sleep(for: FileWatch.interval)) != nil {
                try watch.checkAll()
            }
        }
    }
}

/// A ledger whose commits are answered only while the next start will find them.
struct WatchedLedger: Ledger {
    let ledger: any Ledger
    let watch: FileWatch

    var id: UUID {
        ledger.id
    }

    var numbering: LedgerNumbering {
        ledger.numbering
    }

    var commitExecutor: (any CommitExecutor)? {
        ledger.commitExecutor
    }

    func commit<Value: Sendable>(_ work: @escaping @Sendable (any LedgerWriter) throws -> Value) async throws -> Value {
        let value = try await ledger.commit(work)
        try watch.checkDurable()
        return value
    }

    func read<Value: Sendable>(_ work: @escaping @Sendable (any LedgerReader) throws -> Value) async throws -> Value {
        try await ledger.read(work)
    }
}
