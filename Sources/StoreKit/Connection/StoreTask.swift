import Dispatch

/// The bridge from StoreKit's calls, which cannot wait, to the client's, which do: the only tasks of the library.
enum StoreTask {
    /// Starts the work of a request, or of a connection, whose owner cancels it.
    static func start(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        Task { await work() }
    }

    /// Blocks the caller until the work is done, or `time` has passed; the work goes on then.
    static func wait(atMost time: Duration, for work: @escaping @Sendable () async -> Void) {
        let isDone = DispatchSemaphore(value: 0)
        Task(executorPreference: QuestionExecutor.shared) {
            await work()
            isDone.signal()
        }
        _ = isDone.wait(timeout: .now() + .milliseconds(Int(time / .milliseconds(1))))
    }
}
