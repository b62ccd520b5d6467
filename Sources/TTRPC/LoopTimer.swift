import NIOCore

/// A channel handler's single timer, set for the earliest of many deadlines.
///
/// It is never postponed: if it fires too early, its owner sets it again. So a call that finishes before its deadline,
/// as nearly all do, costs nothing here.
struct LoopTimer {
    private var scheduled: (deadline: NIODeadline, task: Scheduled<Void>)?

    /// Creates a timer that is not set.
    init() {}

    /// Ensures that `fire` runs at or before the deadline; call it on the event loop only.
    mutating func set(_ deadline: NIODeadline, on eventLoop: any EventLoop, fire: @escaping () -> Void) {
        guard deadline != .distantFuture else { return }
        if let scheduled {
            guard deadline < scheduled.deadline else { return }
            scheduled.task.cancel()
        }
        let task = eventLoop.assumeIsolated().scheduleTask(deadline: deadline, fire)
        scheduled = (deadline, task)
    }

    /// Resets the timer after it has fired, or cancels it.
    mutating func clear() {
        scheduled?.task.cancel()
        scheduled = nil
    }
}
