import Foundation
import Glibc
import ProcessTesting
import Synchronization
import Testing

/// The daemon of one test, which is stopped, killed and restarted on the same state.
final class Daemon: Sendable {
    private let site: Site
    private let options: [String]
    private let process = Mutex<ChildProcess?>(nil)
    private let commands = Atomic(0)

    init(_ site: Site, options: [String]) {
        self.site = site
        self.options = options
    }

    /// Starts the daemon, and returns once it answers.
    ///
    /// - Parameter more: Options in addition to the test's own.
    func start(_ more: [String] = []) async throws {
        let started = try site.startDaemon(options + more)
        process.withLock { $0 = started }
        try await site.waitUntilServing()
    }

    /// Stops the daemon with SIGTERM, and requires a successful exit.
    func stop() async throws {
        let stopped = try #require(current, "the daemon is not running")
        stopped.signal(SIGTERM)
        try #require(await stopped.exit() == .status(0), "the daemon failed: \(log)")
        process.withLock { $0 = nil }
    }

    /// Kills the daemon.
    func kill() async throws {
        let killed = try #require(current, "the daemon is not running")
        try #require(await killed.killNow() == .signal(SIGKILL), "the daemon had already ended: \(log)")
        process.withLock { $0 = nil }
    }

    var isRunning: Bool {
        current != nil
    }

    /// The peak memory so far, in MiB.
    var peakMemory: Int {
        get throws {
            try #require(current?.peakMemory, "the daemon is not running")
        }
    }

    /// Returns a number for the output files of the next command.
    func nextCommand() -> Int {
        commands.add(1, ordering: .relaxed).newValue
    }

    private var current: ChildProcess? {
        process.withLock { $0 }
    }

    private var log: String {
        (try? site.log()) ?? ""
    }
}
