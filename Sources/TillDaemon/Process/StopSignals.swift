import CSystemCalls
import Glibc
import ServiceLifecycle
import Synchronization
package import TillModel

/// Handles the signals that stop the daemon, SIGTERM and SIGINT, from the program's start to its end.
///
/// All threads block them except one, which only waits for them. So a signal that arrives before the daemon serves stays
/// pending instead of killing it, the first process of a container receives signals too, and a hanging part of the daemon
/// cannot prevent a stop.
package enum StopSignals {
    /// How long a start may continue after a stop signal.
    static let startPatience = Duration.seconds(10)
    /// How long a stop may take: the 30 s grace period of the services, and the time to close the ledger.
    static let stopPatience = Duration.seconds(60)

    private static let request = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private static let hasStarted = Atomic(false)

    /// Blocks the signals in this thread and in all threads that it creates.
    package static func holdBack() {
        till_hold_stop_signals()
    }

    /// Restores the default effect of the signals, for commands that need no cleanup.
    package static func letThrough() {
        till_release_stop_signals()
    }

    /// Handles the signals from now on, including pending ones. Call it once.
    ///
    /// - Throws: `failedPrecondition` if its thread cannot be created.
    package static func listen() throws(TillError) {
        let code = till_detach_thread { StopSignals.waitAndWatch() }
        guard code == 0 else {
            throw .systemCall("Cannot create a thread", errno: code)
        }
    }

    /// Returns after a stop signal, or when the task is cancelled.
    static func wait() async {
        hasStarted.store(true, ordering: .relaxed)
        for await _ in request.stream {}
    }

    private static func waitAndWatch() {
        till_wait_for_stop_signal()
        request.continuation.finish()
        wait(for: startPatience)
        if !hasStarted.load(ordering: .relaxed) {
            LastWords.write(
                """
                tilld: A stop signal arrived during the start, which takes too long: the daemon exits now. The next start \
                checks the ledger, as after a crash.\n
                """
            )
            _exit(EXIT_SUCCESS)
        }
        wait(for: stopPatience - startPatience)
        LastWords.write(
            """
            tilld: The daemon did not stop within 60 s: it exits now. Restart it; no answered change is lost.\n
            """
        )
        _exit(EX_OSERR)
    }

    /// Waits in short steps, so that a stopped process or a sleeping machine has most of the time left afterwards.
    private static func wait(for time: Duration) {
        for _ in 0..<Int(time / .seconds(1)) {
            sleep(1)
        }
    }
}

/// Ends after a stop signal, which stops the other services.
struct StopService: DaemonService {
    func run() async {
        await cancelWhenGracefulShutdown { await StopSignals.wait() }
    }
}
