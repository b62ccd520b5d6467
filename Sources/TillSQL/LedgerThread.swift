import Dispatch
import Glibc
import TillEngine

/// Runs tasks on one thread at a time, which they may block for as long as a disk or a server takes.
package final class LedgerThread: CommitExecutor {
    private let queue: DispatchQueue

    package init(label: String) {
        queue = DispatchQueue(label: label)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async {
            unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }

    package func pause() {
        // Linux adds a thread's slack for timers, 50 µs (prctl(2)).
        _ = usleep(10)
    }
}
