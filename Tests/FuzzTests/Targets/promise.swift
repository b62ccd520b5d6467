import Dispatch

/// Stops the process when what was promised of all bytes does not hold of these.
func promise(_ holds: Bool, _ sentence: @autoclosure () -> String) {
    guard holds else { fatalError("broken promise: \(sentence())") }
}

/// Blocks the thread until the work is done.
func blocking(_ work: @escaping @Sendable () async -> Void) {
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
        await work()
        isDone.signal()
    }
    isDone.wait()
}
