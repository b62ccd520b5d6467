import CSystemCalls
import Glibc
import ServiceLifecycle
package import TillModel

/// Ends the process after it has hung for 20 s: the system denies new threads, for which Swift's pool would wait
/// permanently; or all threads of that pool are blocked; or an event loop has stopped. The files are then as after a kill,
/// and the service manager can restart the daemon.
package struct Watchdog: DaemonService {
    /// The time between two beats, and between two checks.
    static let interval = Duration.seconds(5)

    private static let pulse = Pulse()

    /// Returns after each event loop has run a task.
    private let visitEventLoops: @Sendable () async -> Void

    init(visitingEventLoops: @escaping @Sendable () async -> Void) {
        visitEventLoops = visitingEventLoops
    }

    /// Starts the watch on a thread of its own. It tests that threads can be created and, once the service runs, that the
    /// service makes progress. Call it once, before the process has other threads.
    ///
    /// - Throws: `failedPrecondition` if the thread cannot be created.
    package static func start() throws(TillError) {
        let code = till_detach_thread { Watchdog.watch() }
        guard code == 0 else {
            throw .systemCall("Cannot create a thread", errno: code)
        }
    }

    package func run() async {
        await cancelWhenGracefulShutdown {
            repeat {
                Self.pulse.beat()
                await visitEventLoops()
            } while (try? await Task.sleep(for: Self.interval)) != nil
        }
        Self.pulse.end()
    }

    private static func watch() {
        pulse.watch {
            sleep(UInt32(interval / .seconds(1)))
            return till_detach_thread {} == 0
        } hang: {
            endProcess()
        }
    }

    private static func endProcess() {
        LastWords.write(
            """
            tilld: The daemon hung for 20 s: it cannot create threads, or all its threads are blocked. Check the limit of \
            processes (ulimit -u, TasksMax=) and restart it; no answered change is lost.\n
            """
        )
        _exit(EX_OSERR)
    }
}

/// Writes to standard error without the heap or the log, either of which a hanging thread may have locked.
enum LastWords {
    static func write(_ text: StaticString) {
        _ = unsafe Glibc.write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    }
}
