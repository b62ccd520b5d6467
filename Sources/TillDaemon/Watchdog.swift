import CSystemCalls
import Glibc
import ServiceLifecycle
package import TillModel

/// Ends the process once it has hung for 20 s: because the system lets it make no thread, for which Swift's pool would
/// wait for ever, or because all threads of that pool wait for what does not come. What is stored is as after a kill,
/// and whoever looks after the process can start it again.
package struct Watchdog: DaemonService {
    /// From one sign of life to the next, and from one look for it to the next.
    static let interval = Duration.seconds(5)

    private static let pulse = Pulse()

    init() {}

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

    /// Does without the heap, which a thread that hangs may have locked.
    private static func endProcess() {
        let words: StaticString = """
            tilld: It has hung for 20 s: no thread can be made, or all wait for what does not come. Look at the limit of \
            processes (ulimit -u, TasksMax=) and start it again; nothing that was answered is lost.\n
            """
        _ = unsafe write(STDERR_FILENO, words.utf8Start, words.utf8CodeUnitCount)
        _exit(EX_OSERR)
    }
}
