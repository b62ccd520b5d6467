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
