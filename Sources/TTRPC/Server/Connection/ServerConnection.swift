import NIOConcurrencyHelpers
import NIOCore

/// The part of a server connection outside its event loop: the task that runs its calls.
struct ServerConnection: Sendable {
    let id: UInt64
    let mailbox: LoopMailbox<ServerItem>
    let acceptedContinuation: AsyncStream<[AcceptedCall]>.Continuation
    /// Runs the connection's calls.
    let executor: LoopExecutor
    /// The deferred calls, which have no task.
    let unanswered = UnansweredCalls()

    private let accepted: AsyncStream<[AcceptedCall]>

    init(id: UInt64, streamsMaximum: Int, eventLoop: any EventLoop) {
        self.id = id
        mailbox = LoopMailbox(eventLoop: eventLoop)
        executor = LoopExecutor(eventLoop)
        (accepted, acceptedContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(streamsMaximum))
    }

    /// Runs each call in a child task until the connection is closed and all calls have returned or are answered.
    ///
    /// Cancelling the task closes the connection, and closing the connection cancels its calls.
    func run() async {
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                for await batch in accepted {
                    for call in batch {
                        group.addImmediateTask { await call.perform(reportingTo: mailbox) }
                    }
                }
                group.cancelAll()
            }
        } onCancel: {
            close()
        }
        await unanswered.waitForAll()
    }

    /// Closes the connection immediately.
    func close() {
        _ = mailbox.post(.close)
    }
}

/// Counts a connection's deferred calls, so that the connection does not end, and release its quotas, before all of them
/// are answered.
final class UnansweredCalls: Sendable {
    private struct State {
        var count = 0
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = NIOLockedValueBox(State())

    func add() {
        state.withLockedValue { $0.count += 1 }
    }

    func remove() {
        let waiter = state.withLockedValue { state in
            state.count -= 1
            return state.count == 0 ? state.waiter.take() : nil
        }
        waiter?.resume()
    }

    /// Waits until all calls are answered, even if the task is cancelled. Call it only once, when no call is added any
    /// more.
    func waitForAll() async {
        await withCheckedContinuation { waiter in
            let mustWait = state.withLockedValue { state in
                guard state.count > 0 else { return false }
                state.waiter = waiter
                return true
            }
            if !mustWait { waiter.resume() }
        }
    }
}

/// A command that a task sends to its connection's event loop.
enum ServerItem: Sendable {
    /// A unary handler has returned.
    case answer(UInt32, ResponseEnvelope)
    /// A deferred handler sends its answer.
    case reply(UInt32, @Sendable () throws(RPCError) -> [UInt8])
    /// An answer that waited for the outbound budget may fit it now.
    case waitingAnswer(UInt32, ResponseEnvelope)
    /// A streaming handler wrote a message; its frame is counted in the budget.
    case message(UInt32, [UInt8])
    /// A streaming handler has returned or thrown.
    case streamEnd(UInt32, RPCError?)
    /// The call of a stream asks to cancel all other calls with this call id.
    case cancel(String, by: UInt32, CheckedContinuation<Bool, Never>)
    /// End the call of a stream early.
    case end(UInt32, RPCError)
    /// The server is shutting down: finish the running calls within this grace period, then close.
    case shutDown(TimeAmount)
    /// Close immediately.
    case close
}

/// The times at which a server connection must act on its own: a pure value.
struct ConnectionTimers: Equatable {
    /// When the first complete frame must have arrived; `nil` once it has.
    var firstFrame: NIODeadline?
    /// When the current frame must be complete.
    var frameCompletion: NIODeadline?
    /// When a peer that does not read loses its streams, and later its connection.
    var outboundStall: NIODeadline?
    /// When a closing connection stops waiting for its peer to read or for its handlers.
    var closing: NIODeadline?

    /// The earliest of them.
    var earliest: NIODeadline? {
        [firstFrame, frameCompletion, outboundStall, closing].lazy.compactMap(\.self).min()
    }
}
