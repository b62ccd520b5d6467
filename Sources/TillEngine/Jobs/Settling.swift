/// Who waits until all jobs of a runner that were due at some time have run.
struct Settling<Key: Hashable & Sendable>: Sendable {
    private struct Waiter {
        /// Only a later look has certainly found everything.
        var afterLook: Int
        /// What has to end; nil before such a look.
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

    /// After a look that found all there is: these jobs are under way.
    ///
    /// - Returns: Who need not wait any more.
    mutating func look(_ look: Int, found jobs: Set<Key>) -> [CheckedContinuation<Void, Never>] {
        for (number, waiter) in waiters where waiter.jobs == nil && waiter.afterLook < look {
            waiters[number]?.jobs = jobs
        }
        return takeDone()
    }

    /// After the end of a job.
    ///
    /// - Returns: Who need not wait any more.
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
