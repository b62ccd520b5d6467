import NIOConcurrencyHelpers

/// Limits the number of concurrent operations; further callers wait in order.
package final class AsyncSemaphore: Sendable {
    private struct State {
        var free: Int
        var nextTicket: UInt64 = 0
        /// The waiting callers in order of arrival. Its size is limited by the number of callers.
        var waiting: [(ticket: UInt64, waiter: CheckedContinuation<Bool, Never>)] = []
        /// The tickets of tasks that were cancelled before they were queued.
        var cancelled: Set<UInt64> = []
    }

    private let state: NIOLockedValueBox<State>

    package init(_ count: Int) {
        state = NIOLockedValueBox(State(free: max(count, 1)))
    }

    /// Runs the operation when a permit is available.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while waiting, and the operation's errors.
    package func withPermit<Result>(_ operation: () async throws -> Result) async throws -> Result {
        guard await acquire() else {
            throw CancellationError()
        }
        defer { release() }
        return try await operation()
    }

    private func acquire() async -> Bool {
        let ticket = state.withLockedValue { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        let hasPermit = await withTaskCancellationHandler {
            await withCheckedContinuation { enter(ticket, $0) }
        } onCancel: {
            cancel(ticket)
        }
        // Remove the mark of a cancellation that came too late to have an effect.
        _ = state.withLockedValue { $0.cancelled.remove(ticket) }
        return hasPermit
    }

    private func enter(_ ticket: UInt64, _ waiter: CheckedContinuation<Bool, Never>) {
        let answer: Bool? = state.withLockedValue { state in
            guard state.cancelled.remove(ticket) == nil else {
                return false
            }
            guard state.free == 0 else {
                state.free -= 1
                return true
            }
            state.waiting.append((ticket, waiter))
            return nil
        }
        if let answer {
            waiter.resume(returning: answer)
        }
    }

    private func cancel(_ ticket: UInt64) {
        let waiter: CheckedContinuation<Bool, Never>? = state.withLockedValue { state in
            guard let index = state.waiting.firstIndex(where: { $0.ticket == ticket }) else {
                state.cancelled.insert(ticket)
                return nil
            }
            return state.waiting.remove(at: index).waiter
        }
        waiter?.resume(returning: false)
    }

    private func release() {
        let next: CheckedContinuation<Bool, Never>? = state.withLockedValue { state in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst().waiter
        }
        next?.resume(returning: true)
    }
}
