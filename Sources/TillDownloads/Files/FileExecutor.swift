import Dispatch

/// Runs an actor on a dispatch queue, where it may block on the disk.
final class FileExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "till.downloads.files")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async {
            unsafe job.runSynchronously(on: self.asUnownedSerialExecutor())
        }
    }
}
