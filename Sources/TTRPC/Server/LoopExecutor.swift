import NIOCore

/// Runs tasks on an event loop's thread, so that a call that waits for nobody never leaves the thread that read it.
///
/// A hop to another thread and back costs more than most calls do. What runs here must not block, as on any executor of
/// Swift's, and holds up the connections of this loop for as long as it computes.
final class LoopExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute {
            unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }
}
