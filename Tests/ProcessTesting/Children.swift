import Synchronization

/// The processes that a test has started, so that none outlives it.
final class Children: Sendable {
    private let processes = Mutex<[ChildProcess]>([])

    /// Those that have ended are let go, with their pipes.
    func add(_ process: ChildProcess) {
        processes.withLock { processes in
            processes.removeAll { !$0.isRunning }
            processes.append(process)
        }
    }

    func killAll() async {
        for process in processes.withLock({ $0 }) {
            await process.killNow()
        }
    }
}
