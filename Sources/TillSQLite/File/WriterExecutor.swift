import Dispatch
import Glibc
import TillEngine

/// The one thread at a time that commits run on, which they may hold up for as long as the disk takes.
final class WriterExecutor: CommitExecutor {
    private let queue = DispatchQueue(label: "till.ledger.writer")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async {
            unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }

    func pause() {
        // Linux adds a thread's slack for timers, 50 µs (prctl(2)).
        _ = usleep(10)
    }
}
