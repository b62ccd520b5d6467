import NIOCore

/// One timer of a channel handler, set for the earliest of many deadlines.
///
/// It is never moved back: when it fires too early its owner sets it anew. So a call that ends in time, as nearly all
/// do, costs nothing here.
struct LoopTimer {
    private var scheduled: (deadline: NIODeadline, task: Scheduled<Void>)?

    /// Makes a timer that is not set.
    init() {}

    /// Makes sure that `fire` runs at the deadline or earlier; on the event loop only.
    mutating func set(_ deadline: NIODeadline, on eventLoop: any EventLoop, fire: @escaping () -> Void) {
        guard deadline != .distantFuture else { return }
        if let scheduled {
            guard deadline < scheduled.deadline else { return }
            scheduled.task.cancel()
        }
        let task = eventLoop.assumeIsolated().scheduleTask(deadline: deadline, fire)
        scheduled = (deadline, task)
    }

    /// Notes that the timer fired, or ends it.
    mutating func clear() {
        scheduled?.task.cancel()
        scheduled = nil
    }
}
