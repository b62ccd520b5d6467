import Dispatch

/// Stops the process if a promise for all bytes does not hold for these.
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
