import NIOConcurrencyHelpers

/// Runs the jobs that the ledger holds: those handed over right after the commit that made them, and those that a
/// regular look into the ledger finds due, as after a restart.
///
/// Jobs that somebody waits for and other jobs have slots of their own, so that neither hold up the others. In both, the
/// slots are shared between owners.
///
/// Its memory only saves work: a job that is forgotten here is found again in the ledger. Where a look would not find
/// jobs, it drops none.
final class JobRunner<Key: Hashable & Sendable, Job: Sendable>: Sendable {
    /// Jobs that may wait for a slot; a look into the ledger finds those beyond. Jobs that no look finds are all kept:
    /// there are no more than the ledger had rows for.
    static var waitingMaximum: Int { 10_000 }
    /// Jobs that a look finds beyond those that are known. Once fewer found jobs wait, it is time to look for more.
    static var lookPage: Int { 256 }

    struct Slots: Sendable {
        /// The slots for jobs that somebody waits for.
        var awaited: Int
        /// The slots for other jobs.
        var others: Int
    }

    private struct Entry: Sendable {
        var job: Job
        /// Handed over, not found.
        var isNew: Bool
        var isAwaited: Bool
    }

    private struct State {
        var awaited: SharedSlots<Entry>
        var others: SharedSlots<Entry>
        /// Jobs handed over again while they run, or wait for a slot.
        var again: [Key: Job] = [:]
        /// Jobs that run or wait for a slot.
        var claimed: Set<Key> = []
        /// Whether the ledger may hold due jobs that nobody has looked for, as it may at the start.
        var isLookDue = true
        /// Whether the last look found more than a page.
        var hasMore = false
        /// Looks that have begun.
        var looks = 0
        var hasEnded = false
        var settling = Settling<Key>()

        var waitingCount: Int { awaited.waitingCount + others.waitingCount }

        mutating func add(
            found jobs: [Job],
            key: (Job) -> Key,
            share: (Job) -> JobShare
        ) {
            for job in jobs where claimed.insert(key(job)).inserted {
                add(Entry(job: job, isNew: false, isAwaited: false), of: share(job))
            }
        }

        mutating func add(_ entry: Entry, of share: JobShare) {
            if entry.isAwaited {
                awaited.add(entry, of: share)
            } else {
                others.add(entry, of: share)
            }
        }
    }

    private let time: any TimeSource
    private let interval: Duration
    private let dropsNone: Bool
    private let share: @Sendable (Job) -> JobShare
    private let isAwaited: @Sendable (Job) -> Bool
    private let key: @Sendable (Job) -> Key
    private let state: NIOLockedValueBox<State>
    private let wake = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// - Parameters:
    ///   - slots: How many jobs run at once.
    ///   - interval: Between two looks into the ledger.
    ///   - dropsNone: Whether every handed over job runs, however many there are, and runs again if it is running then:
    ///     for jobs that no look finds.
    ///   - share: The owner of a job, and the owner's part.
    ///   - isAwaited: Whether somebody waits for a job that is handed over. Nobody waits for jobs that a look finds.
    init(
        slots: Slots,
        interval: Duration,
        time: any TimeSource,
        dropsNone: Bool = false,
        share: @escaping @Sendable (Job) -> JobShare = { _ in JobShare() },
        isAwaited: @escaping @Sendable (Job) -> Bool = { _ in true },
        key: @escaping @Sendable (Job) -> Key
    ) {
        self.interval = interval
        self.time = time
        self.dropsNone = dropsNone
        self.share = share
        self.isAwaited = isAwaited
        self.key = key
        let awaited = SharedSlots<Entry>(count: slots.awaited)
        state = NIOLockedValueBox(State(awaited: awaited, others: SharedSlots(count: slots.others)))
    }

    /// Takes a job that was just committed.
    func handOver(_ jobs: [Job]) {
        guard !jobs.isEmpty else {
            return
        }
        state.withLockedValue { state in
            for job in jobs where dropsNone || state.waitingCount < Self.waitingMaximum {
                if state.claimed.insert(key(job)).inserted {
                    state.add(Entry(job: job, isNew: true, isAwaited: isAwaited(job)), of: share(job))
                } else if dropsNone {
                    state.again[key(job)] = job
                }
            }
        }
        wake.continuation.yield()
    }

    /// Takes jobs that another process may have been at work on, before ``run(find:perform:)``.
    func takeOver(_ jobs: [Job]) {
        state.withLockedValue { $0.add(found: jobs, key: key, share: share) }
    }

    /// Runs jobs until ``stop()``, then waits for those that run.
    ///
    /// - Parameters:
    ///   - find: Looks for due jobs.
    ///   - perform: Does a job, handed over (`isNew`) or found. Throws only what must stop the daemon.
    func run(
        find: @escaping @Sendable (_ limit: Int) async throws -> [Job],
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
        _ find: @Sendable (_ limit: Int) async throws -> [Job],
        _ perform: @escaping @Sendable (_ job: Job, _ isNew: Bool) async throws -> Void
    ) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for await _ in wake.stream {
                start(in: &group, perform)
                if let limit = takeLook() {
                    claim(try await find(limit), limit: limit)
                    start(in: &group, perform)
                }
            }
        }
    }

    private func start(
        in group: inout ThrowingDiscardingTaskGroup<any Error>,
        _ perform: @escaping @Sendable (_ job: Job, _ isNew: Bool) async throws -> Void
    ) {
        let entries = state.withLockedValue { state in
            let entries = state.awaited.take() + state.others.take()
            // They begin only now, and so include what was handed over again.
            entries.forEach { state.again[key($0.job)] = nil }
            return entries
        }
        for entry in entries {
            group.addTask { try await self.run(entry, perform) }
        }
    }

    private func run(
        _ entry: Entry,
        _ perform: @Sendable (_ job: Job, _ isNew: Bool) async throws -> Void
    ) async throws {
        defer { end(entry) }
        do {
            try await perform(entry.job, entry.isNew)
        } catch {
            stop()
            throw error
        }
    }

    /// How many jobs a look reads, if it is time for one: all known jobs may be due too.
    private func takeLook() -> Int? {
        state.withLockedValue { state in
            let wantsMore = state.hasMore && state.others.waitingCount < Self.lookPage
            guard state.isLookDue || wantsMore, state.waitingCount < Self.waitingMaximum else {
                return nil
            }
            state.isLookDue = false
            state.looks += 1
            return state.claimed.count + Self.lookPage
        }
    }

    private func lookRegularly() async throws {
        wake.continuation.yield()
        while !Task.isCancelled {
            try? await time.sleep(for: interval)
            state.withLockedValue { $0.isLookDue = true }
            wake.continuation.yield()
        }
    }

    /// Keeps the jobs that a look has found.
    private func claim(_ jobs: [Job], limit: Int) {
        let settled = state.withLockedValue { state in
            state.add(found: jobs, key: key, share: share)
            state.hasMore = jobs.count >= limit
            // If another look is due, this one has not found everything.
            let isComplete = !state.isLookDue && !state.hasMore
            return isComplete ? state.settling.look(state.looks, found: state.claimed) : []
        }
        settled.forEach { $0.resume() }
    }

    private func end(_ entry: Entry) {
        let job = entry.job
        let settled: [CheckedContinuation<Void, Never>] = state.withLockedValue { state in
            if entry.isAwaited {
                state.awaited.end(share(job))
            } else {
                state.others.end(share(job))
            }
            if let again = state.again.removeValue(forKey: key(job)) {
                state.add(Entry(job: again, isNew: true, isAwaited: isAwaited(again)), of: share(again))
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
