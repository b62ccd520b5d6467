/// Callers that wait until all jobs of a runner that were due at some time have run.
struct Settling<Key: Hashable & Sendable>: Sendable {
    private struct Waiter {
        /// The number of the last look before the wait: only a later look has certainly found everything.
        var afterLook: Int
        /// The jobs that have to end; nil before a later look.
        var jobs: Set<Key>?
        var continuation: CheckedContinuation<Void, Never>
    }

    private var next = 0
    private var waiters: [Int: Waiter] = [:]

    mutating func nextNumber() -> Int {
        next += 1
        return next
    }

    mutating func add(_ number: Int, afterLook look: Int, _ continuation: CheckedContinuation<Void, Never>) {
        waiters[number] = Waiter(afterLook: look, continuation: continuation)
    }

    mutating func remove(_ number: Int) -> CheckedContinuation<Void, Never>? {
        waiters.removeValue(forKey: number)?.continuation
    }

    mutating func removeAll() -> [CheckedContinuation<Void, Never>] {
        defer { waiters = [:] }
        return waiters.values.map(\.continuation)
    }

    /// Records a look that found all due jobs: these are under way.
    ///
    /// - Returns: The waiters that are done.
    mutating func look(_ look: Int, found jobs: Set<Key>) -> [CheckedContinuation<Void, Never>] {
        for (number, waiter) in waiters where waiter.jobs == nil && waiter.afterLook < look {
            waiters[number]?.jobs = jobs
        }
        return takeDone()
    }

    /// Records the end of a job.
    ///
    /// - Returns: The waiters that are done.
    mutating func end(_ job: Key) -> [CheckedContinuation<Void, Never>] {
        for number in waiters.keys {
            waiters[number]?.jobs?.remove(job)
        }
        return takeDone()
    }

    private mutating func takeDone() -> [CheckedContinuation<Void, Never>] {
        guard !waiters.isEmpty else {
            return []
        }
        let done = waiters.filter { $0.value.jobs?.isEmpty == true }
        done.keys.forEach { waiters[$0] = nil }
        return done.values.map(\.continuation)
    }
}
