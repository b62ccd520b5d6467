import Foundation
import Glibc
import ProcessTesting
import Synchronization
import Testing

/// The daemon of one test, which is stopped, killed and started again on the same state.
final class Daemon: Sendable {
    private let site: Site
    private let options: [String]
    private let process = Mutex<ChildProcess?>(nil)
    private let commands = Atomic(0)

    init(_ site: Site, options: [String]) {
        self.site = site
        self.options = options
    }

    /// Starts it, and returns once it answers.
    ///
    /// - Parameter more: Options besides the test's own.
    func start(_ more: [String] = []) async throws {
        let started = try site.startDaemon(options + more)
        process.withLock { $0 = started }
        try await site.waitUntilServing()
    }

    /// Stops it as a system does.
    func stop() async throws {
        let stopped = try #require(current, "the daemon does not run")
        stopped.signal(SIGTERM)
        try #require(await stopped.exit() == .status(0), "the daemon did not end well: \(log)")
        process.withLock { $0 = nil }
    }

    /// Ends it as a crash does.
    func kill() async throws {
        let killed = try #require(current, "the daemon does not run")
        try #require(await killed.killNow() == .signal(SIGKILL), "the daemon had ended: \(log)")
        process.withLock { $0 = nil }
    }

    var isRunning: Bool {
        current != nil
    }

    /// The most memory that it has had so far, in MiB.
    var peakMemory: Int {
        get throws {
            try #require(current?.peakMemory, "the daemon does not run")
        }
    }

    /// A number for the output of the next command.
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
