import Foundation
import NIOCore
import NIOPosix
import TillEngine

/// An event loop that runs a session's entire server: its socket, its engine and its timers.
///
/// Swift's thread pool has as many threads as the machine has processors, and a test that calls a session blocks one of
/// them until the server has answered. The server does not use that pool, so all of its threads may be blocked.
final class ServerThread: TaskExecutor {
    /// The longest time that a call of a session blocks its caller.
    static let waitMaximum = TimeAmount.seconds(60)

    /// Work that runs on a server thread and can be awaited.
    typealias Work = Task<Void, Never>

    private static let group = MultiThreadedEventLoopGroup(numberOfThreads: System.coreCount)

    let loop: any EventLoop

    private init(_ loop: any EventLoop) {
        self.loop = loop
    }

    /// Returns the threads in rotation.
    static func next() -> ServerThread {
        ServerThread(group.next())
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Runs `body` and all its child tasks on this thread.
    ///
    /// It starts an unstructured task, the module's only one, because sessions are created and used by synchronous
    /// code.
    @discardableResult
    func start(_ body: @escaping @Sendable () async -> Void) -> Work {
        Task(executorPreference: self) { await body() }
    }

    /// Blocks the caller until `body` has run on this thread, for at most ``waitMaximum``.
    func wait<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let promise = loop.makePromise(of: Value.self)
        let task = start {
            do {
                promise.succeed(try await body())
            } catch {
                promise.fail(error)
            }
        }
        let timer = loop.scheduleTask(in: Self.waitMaximum) {
            task.cancel()
            promise.fail(SKTestError(.serviceUnavailable, "The session did not answer in time."))
        }
        defer { timer.cancel() }
        return try promise.futureResult.wait()
    }
}

/// The machine's time, with an event loop's timers for sleeping.
struct LoopTime: TimeSource {
    let loop: any EventLoop

    func now() -> Date {
        Date()
    }

    func sleep(for duration: Duration) async throws {
        let timer = loop.scheduleTask(in: TimeAmount(duration)) {}
        try await withTaskCancellationHandler {
            try await timer.futureResult.get()
        } onCancel: {
            timer.cancel()
        }
    }
}
