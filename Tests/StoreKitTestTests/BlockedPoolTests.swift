import Foundation
import NIOConcurrencyHelpers
import StoreKitTest
import Testing

@Suite(.timeLimit(.minutes(10))) struct BlockedPoolTests {
    /// The number of threads in Swift's pool.
    private static let processors = ProcessInfo.processInfo.activeProcessorCount

    @Test func aSessionAnswersWhileTheWholeThreadPoolIsBlocked() async throws {
        let arrivals = NIOLockedValueBox(0)
        let isBlocked = ConditionLock(value: false)
        let isOver = ConditionLock(value: false)
        let outcome = NIOLockedValueBox<Result<[String], any Error>?>(nil)
        // Runs outside the pool: this thread blocks the pool and releases it again.
        Thread.detachNewThread {
            isBlocked.lock(whenValue: true)
            isBlocked.unlock()
            let result = Result { try Self.workInSession() }
            outcome.withLockedValue { $0 = result }
            isOver.lock()
            isOver.unlock(withValue: true)
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.processors {
                group.addTask {
                    if arrivals.withLockedValue({
                        $0 += 1; return $0
                    }) == Self.processors {
                        isBlocked.lock()
                        isBlocked.unlock(withValue: true)
                    }
                    isOver.lock(whenValue: true)
                    isOver.unlock()
                }
            }
        }
        let summary = try #require(outcome.withLockedValue { $0 }).get()
        #expect(summary == ["monthly purchased", "monthly purchased", "coins10 purchased"])
    }

    /// Exercises everything that a server does: its start, a purchase, a timer, a kill and its end.
    private static func workInSession() throws -> [String] {
        let session = try Store.session()
        try session.buyProduct(productIdentifier: Store.monthly)
        try session.advanceClock(by: 31 * Store.day)
        try session.killServer()
        try session.restartServer()
        try session.buyProduct(productIdentifier: Store.coins)
        return session.summary
    }

    @Test func twoHundredTasksMayBlockInSessionsAtOnce() async throws {
        let summaries = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<ParallelSessionsTests.count {
                group.addTask { try Self.workInSession() }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(summaries == [["monthly purchased", "monthly purchased", "coins10 purchased"]])
    }
}
