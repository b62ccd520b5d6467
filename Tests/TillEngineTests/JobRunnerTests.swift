import NIOConcurrencyHelpers
import Testing
@testable import TillEngine
import TillTesting

@Suite struct JobRunnerTests {
    private typealias Runner = JobRunner<Int, Int>

    @Test func aJobThatIsHandedOverWhileItRunsIsRunAgain() async throws {
        let runner = Runner(
            slots: .init(awaited: 1, others: 1),
            interval: .seconds(1),
            time: VirtualTime(),
            dropsNone: true
        ) { $0 }
        let runs = try await Self.runs(of: [7], runner) { job, count in
            if count == 1 {
                runner.handOver([job])
            }
        }
        #expect(runs == 2)
    }

    @Test func aJobThatIsHandedOverBeforeItRunsIsRunOnce() async throws {
        let runner = Runner(
            slots: .init(awaited: 1, others: 1),
            interval: .seconds(1),
            time: VirtualTime(),
            dropsNone: true
        ) { $0 }
        #expect(try await Self.runs(of: [7, 7], runner) == 1)
    }

    @Test func noJobIsDroppedThatNoLookFinds() async throws {
        let runner = Runner(
            slots: .init(awaited: 64, others: 64),
            interval: .seconds(1),
            time: VirtualTime(),
            dropsNone: true
        ) { $0 }
        #expect(try await Self.runs(of: Array(0...Runner.waitingMaximum), runner) == Runner.waitingMaximum + 1)
    }

    @Test func ofJobsThatALookFindsAreKeptNoMoreThanMayBe() async throws {
        let runner = Runner(slots: .init(awaited: 64, others: 64), interval: .seconds(1), time: VirtualTime()) { $0 }
        #expect(try await Self.runs(of: Array(0...Runner.waitingMaximum), runner) == Runner.waitingMaximum)
    }

    @Test func jobsThatALookFindsHoldUpNoneThatSomebodyWaitsFor() async throws {
        let runner = Runner(slots: .init(awaited: 1, others: 2), interval: .seconds(1), time: VirtualTime()) { $0 }
        let gate = Gate()
        try await withThrowingTaskGroup(of: Void.self) { group in
            let done = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .unbounded)
            runner.takeOver([1, 2, 3])
            group.addTask {
                try await runner.run(
                    find: { _ in [] },
                    perform: { job, isNew in
                        if !isNew { await gate.pass() }
                        done.continuation.yield(job)
                    }
                )
            }
            await gate.arrival()
            runner.handOver([4])
            let first = await done.stream.first { _ in true }
            #expect(first == 4)
            gate.open()
            await runner.settle()
            runner.stop()
            try await group.waitForAll()
        }
    }

    @Test func everyDueJobIsFoundHoweverManyThereAre() async throws {
        let runner = Runner(slots: .init(awaited: 1, others: 8), interval: .seconds(1), time: VirtualTime()) { $0 }
        let left = NIOLockedValueBox(Array(0..<1000))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await runner.run(
                    find: { limit in left.withLockedValue { Array($0.prefix(limit)) } },
                    perform: { job, _ in left.withLockedValue { $0.removeAll { $0 == job } } }
                )
            }
            await runner.settle()
            let rest = left.withLockedValue { $0 }
            #expect(rest.isEmpty)
            runner.stop()
            try await group.waitForAll()
        }
    }

    /// Hands the jobs over, and returns how many runs there were until the runner had nothing more to do.
    ///
    /// - Parameter perform: Gets the job and which run it is.
    private static func runs(
        of jobs: [Int],
        _ runner: Runner,
        perform: @escaping @Sendable (_ job: Int, _ run: Int) -> Void = { _, _ in }
    ) async throws -> Int {
        let runs = NIOLockedValueBox(0)
        runner.handOver(jobs)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await runner.run(
                    find: { _ in [] },
                    perform: { job, _ in
                        let run = runs.withLockedValue { count in
                            count += 1
                            return count
                        }
                        perform(job, run)
                    }
                )
            }
            await runner.settle()
            runner.stop()
            try await group.waitForAll()
        }
        return runs.withLockedValue { $0 }
    }
}
