import DequeModule
import NIOConcurrencyHelpers

/// Runs the jobs that the ledger holds: those handed over right after the commit that made them, and those that a
/// regular look into the ledger finds due, as after a restart.
///
/// What it keeps in memory only saves work; a job that is forgotten here is found again in the ledger. Where that is not
/// so, it drops none.
final class JobRunner<Key: Hashable & Sendable, Job: Sendable>: Sendable {
    /// Jobs handed over that may wait for a place; the look into the ledger finds what is beyond. Of jobs that no look
    /// finds all are kept: no more than the ledger had rows for.
    static var handedOverMaximum: Int { 10_000 }

    private struct State {
        /// Its first are taken one at a time, which must not move the others.
        var handedOver: Deque<Job> = []
        /// Jobs handed over once more while they run, or wait for a place.
        var again: [Key: Job] = [:]
        /// Jobs that run, and jobs handed over.
        var claimed: Set<Key> = []
        var running = 0
        /// Whether the ledger may hold due jobs that nobody has looked for.
        var isLookDue = false
        /// Looks that have begun.
        var looks = 0
        var hasEnded = false
        var settling = Settling<Key>()
    }

    private let concurrency: Int
    private let time: any TimeSource
    private let interval: Duration
    private let dropsNone: Bool
    private let key: @Sendable (Job) -> Key
    private let state = NIOLockedValueBox(State())
    private let wake = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// - Parameters:
    ///   - concurrency: How many jobs run at once.
    ///   - interval: Between two looks into the ledger.
    ///   - dropsNone: Whether each job is run after it was handed over, however many there are and also if it runs then:
    ///     for jobs that no look finds.
    init(
        concurrency: Int,
        interval: Duration,
        time: any TimeSource,
        dropsNone: Bool = false,
        key: @escaping @Sendable (Job) -> Key
    ) {
        self.concurrency = concurrency
        self.interval = interval
        self.time = time
        self.dropsNone = dropsNone
        self.key = key
    }

    /// Takes a job that was just committed.
    func handOver(_ jobs: [Job]) {
        guard !jobs.isEmpty else {
            return
        }
        state.withLockedValue { state in
            for job in jobs where dropsNone || state.handedOver.count < Self.handedOverMaximum {
                if state.claimed.insert(key(job)).inserted {
                    state.handedOver.append(job)
                } else if dropsNone {
                    state.again[key(job)] = job
                }
            }
        }
        wake.continuation.yield()
    }

    /// Runs jobs until ``stop()``, then lets those that run come to their end.
    ///
    /// - Parameters:
    ///   - find: Looks for due jobs; at the first look, for all that are not done.
    ///   - perform: Does a job, handed over (`isNew`) or found. Throws only what must stop the daemon.
    func run(
        find: @escaping @Sendable (_ isFirst: Bool, _ limit: Int) async throws -> [Job],
        perform: @escaping @Sendable (_ job: Job, _ isNew: Bool) async throws -> Void
    ) async throws {
        defer { endSettling() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.startJobs(find, perform) }
            group.addTask { try await self.lookRegularly() }
            // The first to end is the starter, or an error.
            try await group.next()
            group.cancelAll()
        }
    }

    /// Starts no more jobs, and lets ``run()`` end.
    func stop() {
        wake.continuation.finish()
    }

    /// Returns once everything has run that was due, handed over or running when it was called; at once when the runner
    /// has ended or the task is cancelled.
    func settle() async {
        let number = state.withLockedValue { $0.settling.nextNumber() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLockedValue { state in
                    guard !state.hasEnded, !Task.isCancelled else {
                        return true
                    }
                    state.settling.add(number, afterLook: state.looks, continuation)
                    state.isLookDue = true
                    return false
                }
                if isOver {
                    continuation.resume()
                } else {
                    wake.continuation.yield()
                }
            }
        } onCancel: {
            state.withLockedValue { $0.settling.remove(number) }?.resume()
        }
    }

    private func startJobs(
        _ find: @Sendable (_ isFirst: Bool, _ limit: Int) async throws -> [Job],
        _ perform: @escaping @Sendable (_ job: Job, _ isNew: Bool) async throws -> Void
    ) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            var isFirst = true
            for await _ in wake.stream {
                for job in takeHandedOver() {
                    group.addTask { try await self.run(job) { try await perform($0, true) } }
                }
                if takeLook(isFirst: isFirst) {
                    for job in claim(try await look(find, isFirst: isFirst)) {
                        group.addTask { try await self.run(job) { try await perform($0, false) } }
                    }
                    isFirst = false
                }
            }
        }
    }

    private func run(_ job: Job, _ perform: @Sendable (Job) async throws -> Void) async throws {
        defer { end(job) }
        do {
            try await perform(job)
        } catch {
            stop()
            throw error
        }
    }

    /// Whether it is time for a look, and there is a place for what it finds.
    private func takeLook(isFirst: Bool) -> Bool {
        state.withLockedValue { state in
            guard isFirst || state.isLookDue, state.running < concurrency else {
                return false
            }
            state.isLookDue = false
            state.looks += 1
            return true
        }
    }

    private func look(
        _ find: (_ isFirst: Bool, _ limit: Int) async throws -> [Job],
        isFirst: Bool
    ) async throws -> [Job] {
        // Jobs that run may be due too: twice as many as can run leaves room for others.
        let limit = 2 * concurrency
        let jobs = try await find(isFirst, limit)
        if jobs.count == limit {
            state.withLockedValue { $0.isLookDue = true }
        }
        return jobs
    }

    private func lookRegularly() async throws {
        wake.continuation.yield()
        while !Task.isCancelled {
            try? await time.sleep(for: interval)
            state.withLockedValue { $0.isLookDue = true }
            wake.continuation.yield()
        }
    }

    private func takeHandedOver() -> [Job] {
        state.withLockedValue { state in
            let jobs = Array(state.handedOver.prefix(concurrency - state.running))
            state.handedOver.removeFirst(jobs.count)
            // Those begin only now.
            jobs.forEach { state.again[key($0)] = nil }
            state.running += jobs.count
            return jobs
        }
    }

    private func claim(_ jobs: [Job]) -> [Job] {
        let (free, settled) = state.withLockedValue { state in
            let unclaimed = jobs.filter { !state.claimed.contains(key($0)) }
            let free = Array(unclaimed.prefix(concurrency - state.running))
            state.claimed.formUnion(free.map(key))
            state.running += free.count
            if free.count < unclaimed.count {
                state.isLookDue = true
            }
            // With another look due, this one has not found everything.
            return (free, state.isLookDue ? [] : state.settling.look(state.looks, found: state.claimed))
        }
        settled.forEach { $0.resume() }
        return free
    }

    private func end(_ job: Job) {
        let settled: [CheckedContinuation<Void, Never>] = state.withLockedValue { state in
            state.running -= 1
            if let again = state.again.removeValue(forKey: key(job)) {
                state.handedOver.append(again)
                return []
            }
            state.claimed.remove(key(job))
            return state.settling.end(key(job))
        }
        settled.forEach { $0.resume() }
        wake.continuation.yield()
    }

    private func endSettling() {
        let settled = state.withLockedValue { state in
            state.hasEnded = true
            return state.settling.removeAll()
        }
        settled.forEach { $0.resume() }
    }
}
