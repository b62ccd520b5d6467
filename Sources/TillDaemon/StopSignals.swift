import CSystemCalls
import Glibc
import ServiceLifecycle
import Synchronization
package import TillModel

/// The signals that ask the daemon to stop, SIGTERM and SIGINT, from the first instruction of the program to its last.
///
/// They are held back in all threads but one, which does nothing else. So a signal that arrives before the daemon serves
/// waits instead of killing it, the first process of a container gets it too, and no part of the daemon that hangs keeps
/// it from being heard.
package enum StopSignals {
    /// How long a start may go on once the daemon was told to stop.
    static let startPatience = Duration.seconds(10)
    /// How long a daemon may take to stop: the grace of the services, which is 30 s, and what closing the ledger takes.
    static let stopPatience = Duration.seconds(60)

    private static let request = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private static let hasStarted = Atomic(false)

    /// Holds the signals back in this thread, and in all that it makes.
    package static func holdBack() {
        till_hold_stop_signals()
    }

    /// Gives the signals their usual effect again, for a command that nothing needs to be put in order after.
    package static func letThrough() {
        till_release_stop_signals()
    }

    /// Takes the signals from now on, those included that have arrived already. To be called once.
    ///
    /// - Throws: When there can be no thread for it.
    package static func listen() throws(TillError) {
        let code = till_detach_thread { StopSignals.waitAndWatch() }
        guard code == 0 else {
            throw .systemCall("Cannot make a thread", errno: code)
        }
    }

    /// Returns once the daemon is told to stop, or the task is cancelled.
    static func wait() async {
        hasStarted.store(true, ordering: .relaxed)
        for await _ in request.stream {}
    }

    private static func waitAndWatch() {
        till_wait_for_stop_signal()
        request.continuation.finish()
        wait(for: startPatience)
        if !hasStarted.load(ordering: .relaxed) {
            LastWords.say(
                """
                tilld: It was told to stop before it served, and the start takes long: it ends now. The ledger is as after a \
                crash, and checked at the next start.\n
                """
            )
            _exit(EXIT_SUCCESS)
        }
        wait(for: stopPatience - startPatience)
        LastWords.say(
            """
            tilld: It was told to stop, and hangs: it ends now. Start it again; nothing that was answered is lost.\n
            """
        )
        _exit(EX_OSERR)
    }

    /// In short steps, so that a process that was stopped, or whose machine slept, has most of the time left after that.
    private static func wait(for time: Duration) {
        for _ in 0..<Int(time / .seconds(1)) {
            sleep(1)
        }
    }
}

/// Ends when the daemon is told to stop, which stops the others.
struct StopService: DaemonService {
    func run() async {
        await cancelWhenGracefulShutdown { await StopSignals.wait() }
    }
}
