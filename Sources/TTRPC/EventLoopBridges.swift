import NIOConcurrencyHelpers
import NIOCore

/// Passes batches of values from any task to a channel handler on its event loop.
///
/// The first value wakes the loop; later values join the same batch, so a busy connection wakes its loop once for many
/// calls. The senders bound its size: each call has at most one value in it, besides the messages that `OutboundBudget`
/// counts.
final class LoopMailbox<Item: Sendable>: Sendable {
    private struct State {
        var items: [Item] = []
        var isScheduled = false
        var isClosed = false
    }

    // Not a `Mutex`: the thread sanitizer does not recognise it on Linux and reports false races.
    private let state = NIOLockedValueBox(State())
    private let eventLoop: any EventLoop
    private let receiver: NIOLoopBoundBox<(([Item]) -> Void)?>

    /// Creates an open mailbox without a receiver.
    init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
        receiver = NIOLoopBoundBox.makeEmptyBox(eventLoop: eventLoop)
    }

    /// Sets the receiver; call it on the event loop only.
    func open(_ receive: @escaping ([Item]) -> Void) {
        receiver.value = receive
        deliver()
    }

    /// Sends a value. Returns false, without sending it, if the mailbox is closed.
    func post(_ item: Item) -> Bool {
        let (isTaken, wakes) = state.withLockedValue { state in
            guard !state.isClosed else { return (false, false) }
            state.items.append(item)
            defer { state.isScheduled = true }
            return (true, !state.isScheduled)
        }
        if wakes { eventLoop.execute { self.deliver() } }
        return isTaken
    }

    /// Delivers the pending values and closes the mailbox; call it on the event loop only.
    func close() {
        let items = state.withLockedValue { state in
            state.isClosed = true
            defer { state.items = [] }
            return state.items
        }
        let receive = receiver.value
        receiver.value = nil
        if !items.isEmpty { receive?(items) }
    }

    private func deliver() {
        guard let receive = receiver.value else { return }
        let items = state.withLockedValue { state in
            state.isScheduled = false
            defer { state.items = [] }
            return state.items
        }
        if !items.isEmpty { receive(items) }
    }
}

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
