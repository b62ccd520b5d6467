import Glibc
import NIOConcurrencyHelpers
import Testing
import TillModel
import TillTesting
@testable import TillEngine

/// Whom a group waits for: those whom the last one answered.
extension GroupCommitTests {
    @Test func aGroupWaitsForClientsThatAskAgainAtOnce() async throws {
        let ledger = SlowLedger(flush: 1)
        try await withCommits(ledger, time: ledger.time) { commits in
            try await submitTwo(commits, ledger)
            let second = NIOLockedValueBox<Task<Int, any Error>?>(nil)
            ledger.executor.whilePaused.withLockedValue {
                $0 = {
                    second.withLockedValue { task in
                        task = task ?? Task { try await commits.submit(isOwn: false) { _ in .success(4) } }
                    }
                    while commits.waitingCount == 0 { sched_yield() }
                }
            }
            #expect(try await commits.submit(isOwn: false) { _ in .success(3) } == 3)
            let task = second.withLockedValue { $0 }
            let answer = try await task?.value
            #expect(answer == 4)
        }
        #expect(ledger.transactions.withLockedValue { $0 } == 1)
        #expect(ledger.executor.pauses.withLockedValue { $0 } == 1, "Both are there.")
    }

    @Test(arguments: [
        (flush: 1.0, pause: 0.1, pauses: 3), (flush: 1.0, pause: 0.25, pauses: 1), (flush: 1.0, pause: -2.0, pauses: 1),
        (flush: 1.0, pause: 0.0, pauses: GroupCommit.pausesMaximum),
        (flush: GroupCommit.gatheringFlush * 1.1, pause: 1.0, pauses: 1),
        (flush: GroupCommit.gatheringFlush * 0.9, pause: 1.0, pauses: 0),
    ])
    func aGroupDoesNotWaitLongForAbsentClients(flush: Double, pause: Double, pauses: Int) async throws {
        let ledger = SlowLedger(flush: flush)
        try await withCommits(ledger, time: ledger.time) { commits in
            try await submitTwo(commits, ledger)
            ledger.executor.whilePaused.withLockedValue { $0 = { ledger.time.advance(by: pause) } }
            _ = try await commits.submit(isOwn: false) { _ in .success(3) }
        }
        #expect(ledger.executor.pauses.withLockedValue { $0 } == pauses)
    }

    @Test func aLoneCommandWaitsForNobody() async throws {
        let ledger = SlowLedger(flush: 1)
        try await withCommits(ledger, time: ledger.time) { commits in
            for number in 1...3 {
                let answer = try await commits.submit(isOwn: false) { _ in .success(number) }
                #expect(answer == number)
            }
        }
        #expect(ledger.executor.pauses.withLockedValue { $0 } == 0)
    }

    /// Submits two commands that form one group, and resets the counts.
    private func submitTwo(_ commits: GroupCommit, _ ledger: SlowLedger) async throws {
        try await submitMeanwhile(0, commits, ledger) { .success(2) }
        #expect(ledger.transactions.withLockedValue { $0 } == 1)
        ledger.transactions.withLockedValue { $0 = 0 }
        ledger.executor.pauses.withLockedValue { $0 = 0 }
    }
}
