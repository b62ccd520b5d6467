import NIOConcurrencyHelpers

#if MUTANTS
    import Mutants
#endif

/// Wakes observers that wait for changes of a queue. It carries no changes: the observers read them.
final class ChangeSignal: Sendable {
    private struct State {
        var next = 0
        /// Calls of ``signal(_:)``.
        var count: UInt64 = 0
        var waiting: [Int64: [Int: AsyncStream<Void>.Continuation]] = [:]
        /// The newest revisions of queues that have changed since they were subscribed to.
        var newest: [Int64: UInt64] = [:]

        /// Whether a revision is newer than the newest known.
        func isNews(_ revision: UInt64, ofQueue queue: Int64) -> Bool {
            #if MUTANTS
                if Mutant.olderSignalWins.isPlanted {
                    return true
                }
            #endif
            return newest[queue].map { $0 < revision } ?? true
        }

        func continuations(ofQueue queue: Int64) -> [AsyncStream<Void>.Continuation] {
            waiting[queue].map { Array($0.values) } ?? []
        }
    }

    private let state = NIOLockedValueBox(State())

    /// Wakes `continuation` at every change of the queue from now on, until ``unsubscribe(_:)``.
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
                state.newest[subscription.queue] = nil
            }
        }
    }

    func isFollowed(_ queue: Int64) -> Bool {
        state.withLockedValue { $0.waiting[queue] != nil }
    }

    /// The queues that have subscribers.
    var followed: Set<Int64> {
        state.withLockedValue { Set($0.waiting.keys) }
    }

    /// Wakes the subscribers of queues that have changed, up to these revisions. A revision that another host has signalled
    /// before, or that is older, wakes nobody.
    func signal(_ revisions: [Int64: UInt64]) {
        let continuations = state.withLockedValue { state in
            state.count += 1
            return revisions.flatMap { queue, revision in
                let waiting = state.continuations(ofQueue: queue)
                guard !waiting.isEmpty, state.isNews(revision, ofQueue: queue) else {
                    return [AsyncStream<Void>.Continuation]()
                }
                state.newest[queue] = revision
                return waiting
            }
        }
        continuations.forEach { $0.yield() }
    }

    /// The number of times that commits were signalled.
    var count: UInt64 {
        state.withLockedValue(\.count)
    }

    /// Wakes the queue's subscribers for news that is not a change.
    func wake(_ queue: Int64) {
        state.withLockedValue { $0.continuations(ofQueue: queue) }.forEach { $0.yield() }
    }

    /// Whether a revision is known to be the newest of a queue with subscriptions.
    func isNewest(_ revision: UInt64, ofQueue queue: Int64) -> Bool {
        state.withLockedValue { $0.newest[queue] } == revision
    }

    struct Subscription: Sendable {
        fileprivate var queue: Int64
        fileprivate var number: Int
    }
}
