import NIOCore
import NIOConcurrencyHelpers

/// Hands values from any task to a channel handler on its event loop, many at a time.
///
/// The first value wakes the loop and those that follow ride along, so that a busy connection wakes its loop once for
/// many calls. What it holds is bounded by its senders: each call has at most one value in it beside the messages that
/// `WriteGate` counts.
final class LoopMailbox<Item: Sendable>: Sendable {
    private struct State {
        var items: [Item] = []
        var isScheduled = false
        var isClosed = false
    }

    // Not a `Mutex`: on Linux the thread sanitizer does not see that one, and takes its users for races.
    private let state = NIOLockedValueBox(State())
    private let eventLoop: any EventLoop
    private let receiver: NIOLoopBoundBox<(([Item]) -> Void)?>

    /// Makes an open mailbox without a receiver.
    init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
        receiver = NIOLoopBoundBox.makeEmptyBox(eventLoop: eventLoop)
    }

    /// Sets who receives; on the event loop only.
    func open(_ receive: @escaping ([Item]) -> Void) {
        receiver.value = receive
        deliver()
    }

    /// Sends a value; false when the mailbox is closed and the value was not taken.
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

    /// Delivers what is there, then takes nothing more; on the event loop only.
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
