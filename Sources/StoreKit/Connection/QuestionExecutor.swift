import Dispatch

/// Runs what somebody blocks for on a dispatch queue's own thread: those who block may be all the threads that Swift's
/// tasks have.
final class QuestionExecutor: TaskExecutor {
    static let shared = QuestionExecutor()

    private let queue = DispatchQueue(label: "till.questions")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
