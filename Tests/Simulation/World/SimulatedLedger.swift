import FoundationEssentials
import TillEngine
import TillMemoryLedger

/// The ledger as one process has it open on a disk. A commit becomes visible and durable when
/// it is flushed, perhaps before the writer learns of it. If the power fails during a flush, the commit may or may not
/// be on the disk.
// One thread runs the whole simulation, so no two threads access this.
final class SimulatedLedger: Ledger, @unchecked Sendable {
    /// The error of a store that cannot be read or written any more.
    struct Failure: Error {
        var reason: String
    }

    private struct Flush {
        var ledger: MemoryLedger
        /// The timer that ends the flush or, once the commit is written, notifies the writer.
        var timer: Int
        var isWritten = false
        var continuation: CheckedContinuation<Void, any Error>
    }

    private unowned let world: World
    private let disk: Disk
    private let number: Int
    private var flush: Flush?
    private var failure: Failure?

    init(world: World, disk: Disk, host number: Int) {
        self.world = world
        self.disk = disk
        self.number = number
    }

    /// Its name among several.
    var host: String? {
        world.profile.hosts > 1 ? "host-\(number)" : nil
    }

    func followOthers(if isConcerned: @escaping @Sendable ([Int64]?) -> Bool, _ look: () async -> Void) async {
        guard isShared, failure == nil else {
            return
        }
        for await _ in disk.looks(by: number, if: isConcerned) {
            await look()
        }
    }

    func news(ofQueues queues: [Int64], after commits: Int64?) async throws -> LedgerNews? {
        try checkPower()
        let found = disk.commits(besides: number)
        guard found != commits else {
            return nil
        }
        let records = try await disk.durable.read { ledger in try queues.compactMap { try ledger.queue(key: $0) } }
        let revisions = Dictionary(records.map { ($0.key, $0.revision) }) { first, _ in first }
        return LedgerNews(commits: found, revisions: revisions)
    }

    var id: UUID {
        disk.durable.id
    }

    var numbering: LedgerNumbering {
        disk.durable.numbering
    }

    func commit<Value: Sendable>(_ work: @escaping @Sendable (any LedgerWriter) throws -> Value) async throws -> Value {
        let next = try await snapshotInTurn()
        do {
            let value = try await next.commit(work)
            try await write(next)
            return value
        } catch {
            disk.turns.end(number)
            throw error
        }
    }

    /// The ledger for a commit, while no other host commits. A host that stands still in its turn loses it, and takes another.
    private func snapshotInTurn() async throws -> MemoryLedger {
        while true {
            try checkPower()
            guard isShared else {
                return disk.durable.snapshot()
            }
            await disk.turns.take(number)
            try checkPower()
            let next = disk.durable.snapshot()
            await world.pauseInTurn(number)
            try checkPower()
            if disk.turns.use(number) || world.flaw == .unfencedHosts {
                return next
            }
        }
    }

    func read<Value: Sendable>(_ work: @escaping @Sendable (any LedgerReader) throws -> Value) async throws -> Value {
        try checkPower()
        return try await disk.durable.read(work)
    }

    /// Ends the process. The commits under way either reached the disk or did not, and no other commit ever will.
    func cutPower() {
        failure = Failure(reason: "the power is gone")
        disk.stopLooking(number)
        guard let flush else {
            disk.turns.end(number)
            if world.flaw == .lyingDisk {
                disk.durable = disk.before
            }
            return
        }
        world.scheduler.cancel(flush.timer)
        endFlush(isFailed: true)
    }

    private func checkPower() throws {
        if let failure {
            throw failure
        }
    }

    private func write(_ ledger: MemoryLedger) async throws {
        let fate = world.flushFate()
        try await withCheckedThrowingContinuation { continuation in
            let timer = world.scheduler.after(fate.delay) { [self] in
                if fate.fails {
                    failure = Failure(reason: "the disk failed")
                }
                endFlush(isFailed: fate.fails)
            }
            flush = Flush(ledger: ledger, timer: timer, continuation: continuation)
        }
    }

    private func endFlush(isFailed: Bool) {
        guard var flush else {
            return
        }
        if !flush.isWritten, !isFailed || world.scheduler.random.chance(500) {
            disk.store(flush.ledger, by: number)
            disk.turns.end(number)
            flush.isWritten = true
            let delay = isFailed ? .zero : world.acknowledgementDelay()
            if delay > .zero {
                flush.timer = world.scheduler.after(delay) { [self] in endFlush(isFailed: false) }
                self.flush = flush
                return
            }
        }
        self.flush = nil
        disk.turns.end(number)
        let isWritten = flush.isWritten
        if isFailed {
            world.note("a commit under way \(isWritten ? "survived" : "was lost")")
            flush.continuation.resume(throwing: failure ?? Failure(reason: "the disk failed"))
        } else {
            flush.continuation.resume()
        }
    }
}
