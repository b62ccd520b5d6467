import Dispatch
import NIOConcurrencyHelpers

/// The bridge from StoreKit's calls, which cannot wait, to the client's, which do: the only tasks of the library.
enum StoreTask {
    /// Starts the work of a request, or of a connection, whose owner cancels it.
    static func start(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        Task { await work() }
    }

    /// Blocks the caller until there is an answer, or `time` has passed; then, and when the work throws, nil.
    static func wait<Value: Sendable>(
        atMost time: Duration,
        for work: @escaping @Sendable () async throws -> Value
    ) -> Value? {
        let answer = NIOLockedValueBox<Value?>(nil)
        let isThere = DispatchSemaphore(value: 0)
        let task = Task {
            let value = try? await work()
            answer.withLockedValue { $0 = value }
            isThere.signal()
        }
        guard isThere.wait(timeout: .now() + .milliseconds(Int(time / .milliseconds(1)))) == .success else {
            task.cancel()
            return nil
        }
        return answer.withLockedValue { $0 }
    }
}
