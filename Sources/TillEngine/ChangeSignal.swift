import NIOConcurrencyHelpers

/// Wakes those who wait for changes of a queue. It carries no data: who wakes reads the ledger.
final class ChangeSignal: Sendable {
    private struct State {
        var next = 0
        var waiting: [Int64: [Int: AsyncStream<Void>.Continuation]] = [:]
    }

    private let state = NIOLockedValueBox(State())

    /// Has `continuation` woken by every change of the queue from now on, until ``unsubscribe(_:)``.
    func subscribe(_ continuation: AsyncStream<Void>.Continuation, toQueue queue: Int64) -> Subscription {
        state.withLockedValue { state in
            state.next += 1
            state.waiting[queue, default: [:]][state.next] = continuation
            return Subscription(queue: queue, number: state.next)
        }
    }

    func unsubscribe(_ subscription: Subscription) {
        state.withLockedValue { state in
            state.waiting[subscription.queue]?[subscription.number] = nil
            if state.waiting[subscription.queue]?.isEmpty == true {
                state.waiting[subscription.queue] = nil
            }
        }
    }

    func signal(_ queues: Set<Int64>) {
        let continuations = state.withLockedValue { state in
            queues.flatMap { state.waiting[$0].map { Array($0.values) } ?? [] }
        }
        continuations.forEach { $0.yield() }
    }

    struct Subscription: Sendable {
        fileprivate var queue: Int64
        fileprivate var number: Int
    }
}
