import FoundationEssentials
import NIOConcurrencyHelpers
import Testing
@testable import TillEngine
import TillTesting

@Suite(.timeLimit(.minutes(10))) struct AdjustableTimeTests {
    @Test func anAdvanceWakesWhoSleptUntilThen() async throws {
        let time = AdjustableTime(VirtualTime())
        let isAwake = NIOLockedValueBox(false)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await time.sleep(for: .seconds(60))
                isAwake.withLockedValue { $0 = true }
            }
            // The sleeper may come after an advance, and waits for the next.
            while !isAwake.withLockedValue({ $0 }) {
                time.advance(to: time.offset + .seconds(60))
                try await Task.yieldUnlessCancelled()
            }
            try await group.waitForAll()
        }
        #expect(time.offset >= .seconds(60))
    }

    @Test func theOffsetNeverShrinks() {
        let time = AdjustableTime(VirtualTime())
        time.advance(to: .seconds(60))
        time.advance(to: .seconds(30))
        #expect(time.offset == .seconds(60))
    }

    @Test func theTimeIsTheBasesPlusTheOffset() {
        let base = VirtualTime()
        let time = AdjustableTime(base)
        time.advance(to: .milliseconds(1500))
        base.advance(by: 10)
        #expect(time.now() == base.now().addingTimeInterval(1.5))
    }

    @Test func aSleepOfTheBaseIsLongEnough() async throws {
        let base = VirtualTime()
        let time = AdjustableTime(base)
        let isAwake = NIOLockedValueBox(false)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await time.sleep(for: .seconds(5))
                isAwake.withLockedValue { $0 = true }
            }
            while !isAwake.withLockedValue({ $0 }) {
                base.advance(by: 5)
                try await Task.yieldUnlessCancelled()
            }
            try await group.waitForAll()
        }
    }

    @Test func aCancelledSleepThrows() async {
        let time = AdjustableTime(VirtualTime())
        await #expect(throws: CancellationError.self) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await time.sleep(for: .seconds(5)) }
                group.cancelAll()
                try await group.waitForAll()
            }
        }
    }
}
