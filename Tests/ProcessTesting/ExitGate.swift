import Synchronization

/// A gate at which tasks wait for the exit of a process.
final class ExitGate: Sendable {
    private struct State {
        var exit: ChildProcess.Exit?
        var waiting: [CheckedContinuation<ChildProcess.Exit, Never>] = []
    }

    private let state = Mutex(State())

    /// How the process ended; nil while it runs.
    var exit: ChildProcess.Exit? {
        state.withLock { $0.exit }
    }

    func open(_ exit: ChildProcess.Exit) {
        let waiting = state.withLock { state in
            state.exit = exit
            defer { state.waiting = [] }
            return state.waiting
        }
        waiting.forEach { $0.resume(returning: exit) }
    }

    func wait() async -> ChildProcess.Exit {
        await withCheckedContinuation { continuation in
            let exit = state.withLock { state in
                if state.exit == nil {
                    state.waiting.append(continuation)
                }
                return state.exit
            }
            if let exit {
                continuation.resume(returning: exit)
            }
        }
    }
}
