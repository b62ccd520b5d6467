import Synchronization

/// Holds whoever comes until it is opened.
package final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var arrivals = 0
        var held: [CheckedContinuation<Void, Never>] = []
        var expecting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    package init(isOpen: Bool = false) {
        state = Mutex(State(isOpen: isOpen))
    }

    /// Returns once the gate is open.
    package func pass() async {
        await withCheckedContinuation { continuation in
            let (isOpen, expecting) = state.withLock { state in
                state.arrivals += 1
                if !state.isOpen { state.held.append(continuation) }
                defer { state.expecting = [] }
                return (state.isOpen, state.expecting)
            }
            expecting.forEach { $0.resume() }
            if isOpen { continuation.resume() }
        }
    }

    /// Returns once somebody has come.
    package func arrival() async {
        await withCheckedContinuation { continuation in
            let hasCome = state.withLock { state in
                if state.arrivals == 0 { state.expecting.append(continuation) }
                return state.arrivals > 0
            }
            if hasCome { continuation.resume() }
        }
    }

    /// Lets everybody pass from now on.
    package func open() {
        let held = state.withLock { state in
            state.isOpen = true
            defer { state.held = [] }
            return state.held
        }
        held.forEach { $0.resume() }
    }
}
