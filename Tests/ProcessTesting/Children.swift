import Synchronization

/// The processes that a test has started, so that no process outlives the test.
final class Children: Sendable {
    private let processes = Mutex<[ChildProcess]>([])

    /// Adds a process, and releases ended processes with their pipes.
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
