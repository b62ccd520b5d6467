/// The bridge from StoreKit's calls, which cannot wait, to the client's, which do: the only tasks of the library.
enum StoreTask {
    /// Starts the work of a request, or of a connection, whose owner cancels it.
    static func start(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        Task { await work() }
    }

    /// Starts the work that a caller blocks for, where it needs none of the threads that such callers may occupy.
    static func startOffPool(_ work: @escaping @Sendable () async -> Void) {
        Task(executorPreference: QuestionExecutor.shared) { await work() }
    }
}
