import Dispatch

/// Runs the work that callers block for on a dispatch queue's thread, because blocked callers may occupy all threads of
/// Swift's task pool.
final class BlockingQueryExecutor: TaskExecutor {
    static let shared = BlockingQueryExecutor()

    private let queue = DispatchQueue(label: "till.queries")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
