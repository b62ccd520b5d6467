import NIOConcurrencyHelpers
package import TillModel

/// Limits the concurrency of expensive work: one call at a time for each user, and a maximum for all users together.
///
/// Waiting users take turns, however many of a user's calls wait. A waiting call holds nothing, and there are never more
/// of them than calls in flight.
package final class FairSemaphore<User: Hashable & Sendable>: Sendable {
    private typealias Continuation = CheckedContinuation<Bool, Never>

    private struct Waiter {
        var number: Int
        var continuation: Continuation
    }

    private struct State {
        var lastNumber = 0
        var active: Set<User> = []
        var waiters: [User: [Waiter]] = [:]
        /// The users that wait for others than themselves, the next one first.
        var order: [User] = []

        mutating func wait(_ user: User, _ waiter: Waiter) {
            waiters[user, default: []].append(waiter)
            if !active.contains(user), !order.contains(user) { order.append(user) }
        }

        /// The waiters that may begin now.
        mutating func next(maximum: Int) -> [Continuation] {
            var continuations: [Continuation] = []
            while active.count < maximum, let user = order.first {
                order.removeFirst()
                guard let waiter = waiters[user]?.removeFirst() else { continue }
                if waiters[user]?.isEmpty == true { waiters[user] = nil }
                active.insert(user)
                continuations.append(waiter.continuation)
            }
            return continuations
        }

        mutating func end(_ user: User) {
            active.remove(user)
            if waiters[user] != nil { order.append(user) }
        }

        mutating func remove(_ number: Int, of user: User) -> Continuation? {
            guard let index = waiters[user]?.firstIndex(where: { $0.number == number }) else { return nil }
            let waiter = waiters[user]?.remove(at: index)
            if waiters[user]?.isEmpty == true {
                waiters[user] = nil
                order.removeAll { $0 == user }
            }
            return waiter?.continuation
        }
    }

    private let state = NIOLockedValueBox(State())
    private let maximum: Int

    package init(maximum: Int) {
        self.maximum = maximum
    }

    /// How many calls wait.
    package var waitersCount: Int {
        state.withLockedValue { $0.waiters.values.reduce(0) { $0 + $1.count } }
    }

    /// Waits for the user's turn and takes it, until ``release(_:)``.
    ///
    /// - Throws: `cancelled`, without a turn, when the task is cancelled while it waits.
    package func acquire(_ user: User) async throws(TillError) {
        let number = state.withLockedValue { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let isAcquired = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (isRefused, next): (Bool, [Continuation]) = state.withLockedValue { state in
                    guard !Task.isCancelled else { return (true, []) }
                    state.wait(user, Waiter(number: number, continuation: continuation))
                    return (false, state.next(maximum: maximum))
                }
                if isRefused { continuation.resume(returning: false) }
                next.forEach { $0.resume(returning: true) }
            }
        } onCancel: {
            let waiter = state.withLockedValue { $0.remove(number, of: user) }
            waiter?.resume(returning: false)
        }
        guard isAcquired else {
            throw TillError(.cancelled, "The call was cancelled.")
        }
    }

    package func release(_ user: User) {
        let next = state.withLockedValue { state in
            state.end(user)
            return state.next(maximum: maximum)
        }
        next.forEach { $0.resume(returning: true) }
    }
}
