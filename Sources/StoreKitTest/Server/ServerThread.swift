import NIOCore
import NIOPosix

/// An event loop that everything of a session's server runs on: its socket, its engine and its timers.
///
/// Swift's own pool has as many threads as the machine has processors, and a test that calls a session blocks one of them
/// until the server has answered. Nothing of the server waits for that pool, so that all of its threads may be blocked.
final class ServerThread: TaskExecutor {
    /// The longest that a call of a session blocks its caller.
    static let patience = TimeAmount.seconds(60)

    /// Something that runs on a thread, and can be waited for.
    typealias Work = Task<Void, Never>

    private static let group = MultiThreadedEventLoopGroup(numberOfThreads: System.coreCount)

    let loop: any EventLoop

    private init(_ loop: any EventLoop) {
        self.loop = loop
    }

    /// The threads take turns.
    static func next() -> ServerThread {
        ServerThread(group.next())
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Runs `body` on this thread; so do all tasks of groups within it.
    ///
    /// Sessions are made and used by code that cannot await, hence the task. It is the module's only one.
    @discardableResult
    func start(_ body: @escaping @Sendable () async -> Void) -> Work {
        Task(executorPreference: self) { await body() }
    }

    /// Blocks the caller until `body` has run on this thread, for at most ``patience``.
    func wait<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let promise = loop.makePromise(of: Value.self)
        let task = start {
            do {
                promise.succeed(try await body())
            } catch {
                promise.fail(error)
            }
        }
        let timer = loop.scheduleTask(in: Self.patience) {
            task.cancel()
            promise.fail(SKTestError(.serviceUnavailable, "The session did not answer in time."))
        }
        defer { timer.cancel() }
        return try promise.futureResult.wait()
    }
}
