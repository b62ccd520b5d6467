import FoundationEssentials
import Glibc
import Logging
import NIOConcurrencyHelpers
import Testing
@testable import TillEngine
import TillMemoryLedger
import TillModel
import TillTesting

@Suite(.timeLimit(.minutes(10))) struct GroupCommitTests {
    @Test func aRowThatCannotBeReadFailsItsOwnCommandOnly() async throws {
        try await withCommits(FailingLedger()) { commits in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    let queue = try await commits.submit(isOwn: false) { .success(try $0.queue(EngineHarness.notes)) }
                    #expect(queue.name == EngineHarness.notes)
                }
                group.addTask {
                    let error = await expect(.dataLoss) {
                        let _: Int = try await commits.submit(isOwn: false) { _ in
                            throw TillError(.dataLoss, "Row 7 is broken.")
                        }
                    }
                    #expect(error?.message == "Row 7 is broken.")
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func aCommitThatFailsIsUnknownToAllAndNothingMoreIsStored() async throws {
        let ledger = FailingLedger()
        ledger.fails.withLockedValue { $0 = true }
        await #expect(throws: DiskError.self) {
            try await withCommits(ledger) { commits in
                let error = await expect(.unavailable) {
                    _ = try await commits.submit(isOwn: false) { .success(try $0.queue(EngineHarness.notes).key) }
                }
                #expect(error?.message.contains("unknown") == true)
                ledger.fails.withLockedValue { $0 = false }
                await expect(.unavailable) { _ = try await commits.submit(isOwn: true) { _ in .success(1) } }
            }
        }
    }

    @Test func eachCommandIsAnsweredOnceWhenTheDiskFailsWhileASpoiltGroupIsStoredOneByOne() async throws {
        let ledger = FailingLedger()
        let commits = GroupCommit(
            ledger: ledger,
            time: SystemTime(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) {
            _ in
        }
        let tries = NIOLockedValueBox(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await expect(.dataLoss) {
                    let _: Int = try await commits.submit(isOwn: false) { _ in
                        // The second try is the one alone; the disk fails after it.
                        ledger.fails.withLockedValue {
                            $0 =
                                tries.withLockedValue {
                                    $0 += 1; return $0
                                } == 2
                        }
                        throw TillError(.dataLoss, "Row 7 is broken.")
                    }
                }
            }
            while commits.waitingCount < 1 {
                try await Task.yieldUnlessCancelled()
            }
            for _ in 0..<3 {
                group.addTask {
                    await expect(.unavailable) {
                        _ = try await commits.submit(isOwn: false) { .success(try $0.queue(EngineHarness.notes).key) }
                    }
                }
            }
            while commits.waitingCount < 4 {
                try await Task.yieldUnlessCancelled()
            }
            commits.stop()
            await #expect(throws: DiskError.self) { try await commits.run() }
            try await group.waitForAll()
        }
    }

    @Test func moreThanTheMaximumIsRefusedBeforeAnythingIsStored() async throws {
        let commits = GroupCommit(ledger: MemoryLedger(), time: SystemTime(), logger: Logger(label: "test")) { _ in }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<GroupCommit.waitingMaximum {
                group.addTask { _ = try? await commits.submit(isOwn: false) { _ in .success(1) } }
            }
            while commits.waitingCount < GroupCommit.waitingMaximum {
                try await Task.yieldUnlessCancelled()
            }
            await expect(.resourceExhausted) { _ = try await commits.submit(isOwn: false) { _ in .success(1) } }
            group.addTask { _ = try? await commits.submit(isOwn: true) { _ in .success(1) } }
            while commits.waitingCount == GroupCommit.waitingMaximum {
                try await Task.yieldUnlessCancelled()
            }
            commits.stop()
            try? await commits.run()
        }
        #expect(commits.waitingCount == 0)
    }

    @Test func aChangedSettingIsInForceOnceItsCommandIsAnswered() async throws {
        let applied = NIOLockedValueBox<[String: String]?>(nil)
        let published = NIOLockedValueBox(0)
        let commits = GroupCommit(ledger: MemoryLedger(), time: SystemTime(), logger: Logger(label: "test")) {
            effects in
            applied.withLockedValue { $0 = effects.settings ?? $0 }
        } publish: { _ in
            published.withLockedValue { $0 += 1 }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await commits.run() }
            for number in 1...100 {
                let settings = ["number": "\(number)"]
                try await commits.submit(isOwn: false) { context in
                    context.effects.settings = settings
                    return .success(())
                }
                #expect(applied.withLockedValue { $0 } == settings)
            }
            commits.stop()
            try await group.waitForAll()
        }
        #expect(published.withLockedValue { $0 } == 100)
    }

    @Test func aCancelledRunLeavesNoCommandWaiting() async throws {
        let commits = GroupCommit(ledger: MemoryLedger(), time: SystemTime(), logger: Logger(label: "test")) { _ in }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await commits.run() }
            group.cancelAll()
        }
        await expect(.unavailable) { _ = try await commits.submit(isOwn: true) { _ in .success(1) } }
    }

    @Test func commandsAreRefusedWhileAFlushTakesLongerThanFiveSeconds() async throws {
        let time = VirtualTime()
        let ledger = HeldLedger()
        let commits = GroupCommit(ledger: ledger, time: time, logger: Logger(label: "test")) { _ in }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await commits.run() }
            group.addTask { _ = try await commits.submit(isOwn: false) { _ in .success(1) } }
            await ledger.commits.arrival()
            time.advance(by: 4.9)
            #expect(!commits.isLate)
            while !commits.isLate {
                time.advance(by: 5)
                try await Task.yieldUnlessCancelled()
            }
            await expect(.resourceExhausted) { _ = try await commits.submit(isOwn: false) { _ in .success(2) } }
            ledger.commits.open()
            while commits.isLate { try await Task.yieldUnlessCancelled() }
            #expect(try await commits.submit(isOwn: false) { _ in .success(3) } == 3)
            commits.stop()
            try await group.waitForAll()
        }
    }

    @Test(arguments: [
        (flush: 1.0, execution: 0.5, transactions: 1), (flush: 1.0, execution: 1.5, transactions: 2),
        (flush: 0.0, execution: 0.0, transactions: 2), (flush: -1.0, execution: 0.0, transactions: 2),
        (flush: 1.0, execution: -1.0, transactions: 2),
    ])
    func commandsJoinAnExecutedGroupForAsLongAsAFlushTakes(
        flush: Double,
        execution: Double,
        transactions: Int
    ) async throws {
        let ledger = SlowLedger(flush: flush)
        try await withCommits(ledger, time: ledger.time) { commits in
            try await submitMeanwhile(execution, commits, ledger) { .success(2) }
        }
        #expect(ledger.transactions.withLockedValue { $0 } == transactions)
    }

    @Test func aCommandThatCannotBeStoredFailsAlone() async throws {
        let ledger = SlowLedger(flush: 1)
        try await withCommits(ledger, time: ledger.time) { commits in
            await expect(.dataLoss) {
                try await submitMeanwhile(0.5, commits, ledger) { throw TillError(.dataLoss, "Row 7 is broken.") }
            }
        }
        // Both, which was rolled back, and each by itself.
        #expect(ledger.transactions.withLockedValue { $0 } == 3)
    }

    /// Submits a command while another one is executed, which takes `execution` seconds from then on. Counts the
    /// transactions of both, after one that shows how long a flush takes.
    func submitMeanwhile(
        _ execution: Double,
        _ commits: GroupCommit,
        _ ledger: SlowLedger,
        _ second: @escaping @Sendable () throws -> Result<Int, TillError>
    ) async throws {
        _ = try await commits.submit(isOwn: false) { _ in .success(0) }
        ledger.transactions.withLockedValue { $0 = 0 }
        let isExecuted = NIOLockedValueBox(false)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                let first = try await commits.submit(isOwn: false) { _ in
                    if !isExecuted.withLockedValue({ $0 }) {
                        isExecuted.withLockedValue { $0 = true }
                        // On a thread of the ledger's.
                        while commits.waitingCount == 0 { sched_yield() }
                        ledger.time.advance(by: execution)
                    }
                    return .success(1)
                }
                #expect(first == 1)
            }
            group.addTask {
                while !isExecuted.withLockedValue({ $0 }) { try await Task.yieldUnlessCancelled() }
                #expect(try await commits.submit(isOwn: false) { _ in try second() } == 2)
            }
            // Both end, whichever fails.
            var failure: (any Error)?
            while let result = await group.nextResult() {
                if case .failure(let error) = result { failure = error }
            }
            if let failure { throw failure }
        }
    }

    func withCommits(
        _ ledger: any Ledger,
        time: any TimeSource = SystemTime(),
        _ body: @escaping @Sendable (GroupCommit) async throws -> Void
    ) async throws {
        let commits = GroupCommit(
            ledger: ledger,
            time: time,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) {
            _ in
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await commits.run() }
            try await body(commits)
            commits.stop()
            try await group.waitForAll()
        }
    }
}

struct DiskError: Error {}

/// A ledger whose disk is slow.
final class HeldLedger: Ledger {
    let commits = Gate()
    private let memory = MemoryLedger()

    var id: UUID {
        memory.id
    }

    var numbering: LedgerNumbering {
        memory.numbering
    }

    func commit<Value: Sendable>(_ work: @escaping @Sendable (any LedgerWriter) throws -> Value) async throws -> Value {
        await commits.pass()
        return try await memory.commit(work)
    }

    func read<Value: Sendable>(_ work: @escaping @Sendable (any LedgerReader) throws -> Value) async throws -> Value {
        try await memory.read(work)
    }
}

/// A ledger whose flushes take time, and which has a thread for its commits.
final class SlowLedger: Ledger {
    let time = VirtualTime()
    let transactions = NIOLockedValueBox(0)
    let executor = SingleExecutor()
    private let flush: Double
    private let memory = MemoryLedger()

    /// - Parameter flush: In seconds.
    init(flush: Double) {
        self.flush = flush
    }

    var id: UUID {
        memory.id
    }

    var numbering: LedgerNumbering {
        memory.numbering
    }

    var commitExecutor: (any CommitExecutor)? {
        executor
    }

    func commit<Value: Sendable>(_ work: @escaping @Sendable (any LedgerWriter) throws -> Value) async throws -> Value {
        transactions.withLockedValue { $0 += 1 }
        let value = try await memory.commit(work)
        time.advance(by: flush)
        return value
    }

    func read<Value: Sendable>(_ work: @escaping @Sendable (any LedgerReader) throws -> Value) async throws -> Value {
        try await memory.read(work)
    }
}

/// A ledger whose commits fail on demand, as when the disk does.
final class FailingLedger: Ledger {
    let fails = NIOLockedValueBox(false)
    private let memory = MemoryLedger()

    var id: UUID {
        memory.id
    }

    var numbering: LedgerNumbering {
        memory.numbering
    }

    func commit<Value: Sendable>(_ work: @escaping @Sendable (any LedgerWriter) throws -> Value) async throws -> Value {
        guard !fails.withLockedValue({ $0 }) else {
            throw DiskError()
        }
        return try await memory.commit(work)
    }

    func read<Value: Sendable>(_ work: @escaping @Sendable (any LedgerReader) throws -> Value) async throws -> Value {
        try await memory.read(work)
    }
}
