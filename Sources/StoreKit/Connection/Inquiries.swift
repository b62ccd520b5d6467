import Dispatch

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
