import NIOCore

/// Runs tasks on an event loop's thread, so that a call that does not suspend never leaves the thread that read it.
///
/// A hop to another thread and back costs more than most calls do. As on any Swift executor, jobs must not block; while
/// a job computes, the other connections of this loop wait.
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
