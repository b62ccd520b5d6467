import NIOConcurrencyHelpers
import Testing
@testable import TillEngine
import TillModel
import TillTesting

@Suite struct ChangePagesTests {
    private let key = ChangePages.Key(queue: 1, after: 0, limit: 64)

    @Test func whatSeveralAskForIsReadOnce() async throws {
        let pages = ChangePages()
        let reads = NIOLockedValueBox(0)
        let gate = Gate()
        try await withThrowingTaskGroup(of: UInt64.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let page = try await pages.page(key) {
                        reads.withLockedValue { $0 += 1 }
                        await gate.pass()
                        return Self.page(1...3)
                    }
                    return page.newest
                }
            }
            while reads.withLockedValue({ $0 }) == 0 {
                await Task.yield()
            }
            gate.open()
            for try await newest in group {
                #expect(newest == 3)
            }
        }
        #expect(reads.withLockedValue { $0 } == 1)
    }

    @Test func anEmptyPageIsNotKept() async throws {
        let pages = ChangePages()
        let first = try await pages.page(key) { ChangePage([], limit: 64, newest: 0) }
        let second = try await pages.page(key) { Self.page(1...1) }
        #expect(first.entries.isEmpty)
        #expect(second.entries.count == 1)
    }

    @Test func whoWaitedForAnEmptyPageReadsAnew() async throws {
        let pages = ChangePages()
        let gate = Gate()
        async let first = pages.page(key) {
            await gate.pass()
            return ChangePage([], limit: 64, newest: 0)
        }
        await gate.arrival()
        async let second = pages.page(key) { Self.page(1...1) }
        for _ in 0..<100 {
            await Task.yield()
        }
        gate.open()
        #expect(try await first.entries.isEmpty)
        #expect(try await second.entries.count == 1, "what was committed meanwhile would wait for the next change")
    }

    @Test func aReadThatFailedIsMadeByTheNext() async throws {
        let pages = ChangePages()
        let error = await expect(.unavailable) {
            _ = try await pages.page(key) { () throws(TillError) in throw TillError(.unavailable, "No.") }
        }
        #expect(error?.message == "No.")
        let page = try await pages.page(key) { Self.page(1...2) }
        #expect(page.newest == 2)
    }

    @Test func noMorePagesAreKeptThanMayBe() async throws {
        let pages = ChangePages()
        let reads = NIOLockedValueBox(0)
        for pass in 1...2 {
            for queue in 0...Int64(ChangePages.countMaximum) {
                _ = try await pages.page(ChangePages.Key(queue: queue, after: 0, limit: 1)) {
                    reads.withLockedValue { $0 += 1 }
                    return Self.page(1...1)
                }
            }
            #expect(reads.withLockedValue { $0 } == pass * (ChangePages.countMaximum + 1), "the oldest went first")
        }
    }

    @Test func bytesAreMadeByTheFirstSender() throws {
        let shared = EncodedOnce()
        let batch = OutgoingBatch(batch: EventBatch(revision: 1, events: []), encoding: shared)
        #expect(batch.bytes { _ in [1] } == [1])
        #expect(batch.bytes { _ in [2] } == [1])
        #expect(OutgoingBatch(batch: batch.batch).bytes { _ in [2] } == [2])
    }

    private static func page(_ revisions: ClosedRange<UInt64>) -> ChangePage {
        ChangePage(
            revisions.map { ObserverCursor.Entry(revision: $0, event: .initialDeliveryEnded) },
            limit: 64,
            newest: revisions.upperBound
        )
    }
}
