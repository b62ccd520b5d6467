import FoundationEssentials
import Logging
import NIOConcurrencyHelpers
import Testing
@testable import TillEngine
import TillMemoryLedger
import TillModel
import TillTesting

@Suite(.timeLimit(.minutes(10))) struct WriteCheckTests {
    private let ledger = CountingLedger()
    private let time = VirtualTime()

    private func withCheck(_ body: (WriteCheck) async throws -> Void) async throws {
        let commits = GroupCommit(
            ledger: ledger,
            time: time,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { _ in }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await commits.run() }
            try await body(WriteCheck(commits: commits, time: time))
            commits.stop()
            try await group.waitForAll()
        }
    }

    @Test func aCheckCommitsOnceASecondHoweverOftenItIsAskedFor() async throws {
        try await withCheck { check in
            for _ in 0..<5 {
                #expect(await check.check())
            }
            #expect(ledger.commits == 1)
            time.advance(by: 0.9)
            #expect(await check.check())
            #expect(ledger.commits == 1)
            time.advance(by: 0.2)
            #expect(await check.check())
            #expect(ledger.commits == 2)
            time.setBack(by: 3600)
            #expect(await check.check())
            #expect(ledger.commits == 3, "a clock that was set back delays no check")
        }
    }

    @Test func aStuckDiskIsFoundWithinThePatienceAndCheckedOnlyOnce() async throws {
        try await withCheck { check in
            #expect(await check.check())
            ledger.gate.close()
            time.advance(by: 2)
            let found = NIOLockedValueBox<Bool?>(nil)
            async let stuck: Void = {
                let isWritable = await check.check()
                found.withLockedValue { $0 = isWritable }
            }()
            while ledger.gate.arrivals < 2 {
                try await Task.yieldUnlessCancelled()
            }
            #expect(await check.check(), "the last finding, while the next is under way")
            while found.withLockedValue({ $0 }) == nil {
                time.advance(by: 0.5)
                try await Task.yieldUnlessCancelled()
            }
            await stuck
            #expect(found.withLockedValue { $0 } == false)
            time.advance(by: 60)
            #expect(await check.check() == false)
            #expect(ledger.commits == 1, "no check begins while one is under way")
            ledger.gate.open()
            while await !check.check() {
                time.advance(by: 2)
                await Task.yield()
            }
        }
    }

    @Test func beforeTheFirstFindingNothingIsWritable() async throws {
        ledger.gate.close()
        try await withCheck { check in
            async let first = check.check()
            await ledger.gate.arrival()
            #expect(await check.check() == false)
            ledger.gate.open()
            #expect(await first)
        }
    }

    @Test func aLedgerThatFailsIsNotWritable() async throws {
        ledger.fails.withLockedValue { $0 = true }
        await #expect(throws: DiskError.self) {
            try await withCheck { check in
                #expect(await check.check() == false)
            }
        }
    }

    @Test func figuresAreReadOnceInFiveSeconds() async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let commits = GroupCommit(ledger: ledger, time: time, logger: logger) { _ in }
        let cache = FigureCache(access: LedgerAccess(ledger: ledger, commits: commits, logger: logger), time: time)
        for _ in 0..<3 {
            _ = try await cache.figures(at: time.now())
        }
        #expect(ledger.reads == 1)
        time.advance(by: 4.9)
        _ = try await cache.figures(at: time.now())
        #expect(ledger.reads == 1)
        time.advance(by: 0.2)
        _ = try await cache.figures(at: time.now())
        #expect(ledger.reads == 2)
        time.setBack(by: 60)
        _ = try await cache.figures(at: time.now())
        #expect(ledger.reads == 3)
        ledger.fails.withLockedValue { $0 = true }
        time.advance(by: 6)
        for _ in 0..<2 {
            await expect(.unavailable) { _ = try await cache.figures(at: time.now()) }
        }
        #expect(ledger.reads == 5, "a failed reading is repeated")
    }
}

/// A ledger in memory that counts its commits and readings, and whose commits can be blocked.
private final class CountingLedger: Ledger {
    let gate = Gate(isOpen: true)
    let fails = NIOLockedValueBox(false)
    private let counts = NIOLockedValueBox((commits: 0, reads: 0))
    private let memory = MemoryLedger()

    var id: UUID {
        memory.id
    }

    var numbering: LedgerNumbering {
        memory.numbering
    }

    var commits: Int {
        counts.withLockedValue(\.commits)
    }

    var reads: Int {
        counts.withLockedValue(\.reads)
    }

    func commit<Value: Sendable>(_ work: @escaping @Sendable (any LedgerWriter) throws -> Value) async throws -> Value {
        await gate.pass()
        guard !fails.withLockedValue({ $0 }) else {
            throw DiskError()
        }
        let value = try await memory.commit(work)
        counts.withLockedValue { $0.commits += 1 }
        return value
    }

    func read<Value: Sendable>(_ work: @escaping @Sendable (any LedgerReader) throws -> Value) async throws -> Value {
        counts.withLockedValue { $0.reads += 1 }
        guard !fails.withLockedValue({ $0 }) else {
            throw DiskError()
        }
        return try await memory.read(work)
    }
}
