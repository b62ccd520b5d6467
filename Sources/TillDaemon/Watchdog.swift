import CSystemCalls
import Glibc
import ServiceLifecycle
package import TillModel

/// Ends the process once it has hung for 20 s: because the system lets it make no thread, for which Swift's pool would
/// wait permanently, because all threads of that pool wait for something that does not happen, or because an event loop
/// runs nothing any more. What is stored is as after a kill, and the service manager can start it again.
package struct Watchdog: DaemonService {
    /// From one sign of life to the next, and from one look for it to the next.
    static let interval = Duration.seconds(5)

    private static let pulse = Pulse()

    /// Returns once each event loop has run something.
    private let visitEventLoops: @Sendable () async -> Void

    init(visitingEventLoops: @escaping @Sendable () async -> Void) {
        visitEventLoops = visitingEventLoops
    }

    /// Watches from now on, on a thread of its own: that there can be threads, and from when the service runs that it goes
    /// on. To be called once, before the process has other threads.
    ///
    /// - Throws: When there can be no thread.
    package static func start() throws(TillError) {
        let code = till_detach_thread { Watchdog.watch() }
        guard code == 0 else {
            throw .systemCall("Cannot make a thread", errno: code)
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
        } still: {
            endProcess()
        }
    }

    private static func endProcess() {
        LastWords.say(
            """
            tilld: It has hung for 20 s: no thread can be made, or all wait for what does not come. Look at the limit of \
            processes (ulimit -u, TasksMax=) and start it again; nothing that was answered is lost.\n
            """
        )
        _exit(EX_OSERR)
    }
}
