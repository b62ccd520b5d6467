import Dispatch

/// The one thread at a time that commits run on, which they may hold up for as long as the disk takes.
final class WriterExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "till.ledger.writer")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async {
            unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }
}
