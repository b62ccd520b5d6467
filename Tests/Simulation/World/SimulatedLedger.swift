import FoundationEssentials
import TillEngine

/// The engine's own ledger in memory, as one process has it open on a disk: a commit lasts once it is flushed, and is
/// visible only then, perhaps before the writer learns of it. What is under way when the power goes may have reached the
/// disk, or not.
// One thread runs a simulation, so that nothing here is touched by two at once.
final class SimulatedLedger: Ledger, @unchecked Sendable {
    /// The store cannot be written or read any more.
    struct Failure: Error {
        var reason: String
    }

    private struct Flush {
        var ledger: MemoryLedger
        /// Ends the flush, or, once the commit is written, has the writer learn of it.
        var timer: Int
        var isWritten = false
        var continuation: CheckedContinuation<Void, any Error>
    }

    private unowned let world: World
    private let disk: Disk
    private var flush: Flush?
    private var failure: Failure?

    init(world: World, disk: Disk) {
        self.world = world
        self.disk = disk
    }

    var id: UUID {
        disk.durable.id
    }

    var numbering: LedgerNumbering {
        disk.durable.numbering
    }

    func commit<Value: Sendable>(_ work: @escaping @Sendable (any LedgerWriter) throws -> Value) async throws -> Value {
        try checkPower()
        let next = disk.durable.snapshot()
        let value: Value
        do {
            value = try await next.commit(work)
        } catch {
            // Nothing has changed but the keys that were handed out.
            disk.durable = next
            throw error
        }
        try await write(next)
        return value
    }

    func read<Value: Sendable>(_ work: @escaping @Sendable (any LedgerReader) throws -> Value) async throws -> Value {
        try checkPower()
        return try await disk.durable.read(work)
    }

    /// The process is gone: what was being flushed has reached the disk or not, and nothing else ever will.
    func cutPower() {
        failure = Failure(reason: "the power is gone")
        guard let flush else {
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
            disk.before = disk.durable
            disk.durable = flush.ledger
            flush.isWritten = true
            let delay = isFailed ? .zero : world.acknowledgementDelay()
            if delay > .zero {
                flush.timer = world.scheduler.after(delay) { [self] in endFlush(isFailed: false) }
                self.flush = flush
                return
            }
        }
        self.flush = nil
        let isWritten = flush.isWritten
        if isFailed {
            world.note("a commit under way \(isWritten ? "survived" : "was lost")")
            flush.continuation.resume(throwing: failure ?? Failure(reason: "the disk failed"))
        } else {
            flush.continuation.resume()
        }
    }
}
