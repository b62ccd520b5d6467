import Dispatch
import TillClient
import TillModel

/// The daemon's answers that callers block for. While the daemon is unavailable, callers do not block.
struct BlockingQueries {
    enum Query: Hashable, Sendable {
        case storefront
        case canMakePayments
    }

    /// The blocked callers of each query in progress.
    private var waiting: [Query: [DispatchSemaphore]] = [:]
    /// Whether the daemon did not answer the last query or its connection was lost.
    var isAway = false

    /// - Returns: The semaphore to wait for, nil while the daemon is unavailable; and whether the daemon must be
    ///   queried because the query is not in progress yet.
    mutating func begin(_ query: Query) -> (answered: DispatchSemaphore?, isFirst: Bool) {
        let isFirst = waiting[query] == nil
        let answered = isAway ? nil : DispatchSemaphore(value: 0)
        waiting[query, default: []] += answered.map { [$0] } ?? []
        return (answered, isFirst)
    }

    /// - Returns: The semaphores of the callers to resume.
    mutating func end(_ query: Query, isAway: Bool) -> [DispatchSemaphore] {
        self.isAway = isAway
        return waiting.removeValue(forKey: query) ?? []
    }
}

/// The queries that callers block for, because StoreKit answers them synchronously.
extension DaemonConnection {
    /// Queries the daemon and blocks until it answers, for at most `limit`. After one timeout, callers do not block
    /// until the daemon has answered again.
    func query(_ query: BlockingQueries.Query, within limit: Duration) {
        let (answered, isFirst) = withState { $0.blockingQueries.begin(query) }
        if isFirst {
            StoreTask.startOffPool { await self.ask(query) }
        }
        if answered?.wait(timeout: .now() + .milliseconds(Int(limit / .milliseconds(1)))) == .timedOut {
            withState { $0.blockingQueries.isAway = true }
        }
    }

    /// Stores the answer for the time when the daemon is unavailable.
    private func ask(_ query: BlockingQueries.Query) async {
        var isAway = false
        do throws(TillError) {
            switch query {
            case .storefront:
                let storefront = try await client.storefront()
                withState { $0.storefront = storefront }
            case .canMakePayments:
                let canMakePayments = try await client.canMakePayments()
                withState { $0.canMakePayments = canMakePayments }
            }
        } catch {
            isAway = error.isRetryable
        }
        withState { $0.blockingQueries.end(query, isAway: isAway) }.forEach { $0.signal() }
    }
}

/// The bridge from StoreKit's synchronous calls to the client's asynchronous ones. It starts the library's only
/// unstructured tasks.
enum StoreTask {
    /// Starts the work of a request or a connection, which its owner cancels.
    static func start(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        Task { await work() }
    }

    /// Starts the work that a caller blocks for, outside the thread pool that such callers may occupy.
    static func startOffPool(_ work: @escaping @Sendable () async -> Void) {
        Task(executorPreference: BlockingQueryExecutor.shared) { await work() }
    }
}

/// Runs the work that callers block for on a dispatch queue's thread, because blocked callers may occupy all threads of
/// Swift's task pool.
final class BlockingQueryExecutor: TaskExecutor {
    static let shared = BlockingQueryExecutor()

    private let queue = DispatchQueue(label: "till.queries")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
