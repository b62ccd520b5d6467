import NIOConcurrencyHelpers

/// A number of places for work; who finds none waits in line.
package final class Places: Sendable {
    private struct State {
        var free: Int
        var nextTicket: UInt64 = 0
        /// In the order of coming. Each is a caller that waits, so that callers are its bound.
        var line: [(ticket: UInt64, place: CheckedContinuation<Bool, Never>)] = []
        /// Those whose task was cancelled before they stood in line.
        var gone: Set<UInt64> = []
    }

    private let state: NIOLockedValueBox<State>

    package init(_ count: Int) {
        state = NIOLockedValueBox(State(free: max(count, 1)))
    }

    /// Does the work in a place of its own.
    ///
    /// - Throws: `CancellationError` when the task is cancelled while it waits, and what the work throws.
    package func withPlace<Result>(_ work: () async throws -> Result) async throws -> Result {
        guard await take() else {
            throw CancellationError()
        }
        defer { leave() }
        return try await work()
    }

    private func take() async -> Bool {
        let ticket = state.withLockedValue { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        let hasPlace = await withTaskCancellationHandler {
            await withCheckedContinuation { enter(ticket, $0) }
        } onCancel: {
            give(up: ticket)
        }
        // A cancellation that came too late to matter has left its mark.
        _ = state.withLockedValue { $0.gone.remove(ticket) }
        return hasPlace
    }

    private func enter(_ ticket: UInt64, _ place: CheckedContinuation<Bool, Never>) {
        let answer: Bool? = state.withLockedValue { state in
            guard state.gone.remove(ticket) == nil else {
                return false
            }
            guard state.free == 0 else {
                state.free -= 1
                return true
            }
            state.line.append((ticket, place))
            return nil
        }
        if let answer {
            place.resume(returning: answer)
        }
    }

    private func give(up ticket: UInt64) {
        let place: CheckedContinuation<Bool, Never>? = state.withLockedValue { state in
            guard let index = state.line.firstIndex(where: { $0.ticket == ticket }) else {
                state.gone.insert(ticket)
                return nil
            }
            return state.line.remove(at: index).place
        }
        place?.resume(returning: false)
    }

    private func leave() {
        let next: CheckedContinuation<Bool, Never>? = state.withLockedValue { state in
            guard !state.line.isEmpty else {
                state.free += 1
                return nil
            }
            return state.line.removeFirst().place
        }
        next?.resume(returning: true)
    }
}
