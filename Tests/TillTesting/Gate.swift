import NIOConcurrencyHelpers

/// A gate that blocks tasks until it is opened.
package final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var arrivals = 0
        var held: [CheckedContinuation<Void, Never>] = []
        var expecting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: NIOLockedValueBox<State>

    package init(isOpen: Bool = false) {
        state = NIOLockedValueBox(State(isOpen: isOpen))
    }

    /// Returns once the gate is open.
    package func pass() async {
        await withCheckedContinuation { continuation in
            let (isOpen, expecting) = state.withLockedValue { state in
                state.arrivals += 1
                if !state.isOpen { state.held.append(continuation) }
                defer { state.expecting = [] }
                return (state.isOpen, state.expecting)
            }
            expecting.forEach { $0.resume() }
            if isOpen { continuation.resume() }
        }
    }

    /// The number of tasks that have arrived, blocked or not.
    package var arrivals: Int {
        state.withLockedValue { $0.arrivals }
    }

    /// Returns once a task has arrived.
    package func arrival() async {
        await withCheckedContinuation { continuation in
            let hasCome = state.withLockedValue { state in
                if state.arrivals == 0 { state.expecting.append(continuation) }
                return state.arrivals > 0
            }
            if hasCome { continuation.resume() }
        }
    }

    /// Blocks tasks from now on.
    package func close() {
        state.withLockedValue { $0.isOpen = false }
    }

    /// Lets all tasks pass from now on.
    package func open() {
        let held = state.withLockedValue { state in
            state.isOpen = true
            defer { state.held = [] }
            return state.held
        }
        held.forEach { $0.resume() }
    }
}
