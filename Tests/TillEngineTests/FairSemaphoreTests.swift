import NIOConcurrencyHelpers
import TillEngine
import TillModel
import TillTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct FairSemaphoreTests {
    @Test func aUsersSecondCallWaitsAndAnotherUsersDoesNot() async throws {
        let semaphore = FairSemaphore<Int>(maximum: 2)
        try await semaphore.acquire(1)
        async let second: Void = semaphore.acquire(1)
        try await until { semaphore.waitersCount == 1 }
        try await semaphore.acquire(2)
        #expect(semaphore.waitersCount == 1)
        semaphore.release(2)
        #expect(semaphore.waitersCount == 1, "a slot is free, but the user has one already")
        semaphore.release(1)
        try await second
        #expect(semaphore.waitersCount == 0)
    }

    @Test func noMoreThanTheMaximumRunAtOnce() async throws {
        let semaphore = FairSemaphore<Int>(maximum: 2)
        try await semaphore.acquire(1)
        try await semaphore.acquire(2)
        async let third: Void = semaphore.acquire(3)
        try await until { semaphore.waitersCount == 1 }
        semaphore.release(1)
        try await third
    }

    /// A user with many calls does not come before users with one.
    @Test func waitingUsersTakeTurns() async throws {
        let semaphore = FairSemaphore<Int>(maximum: 1)
        try await semaphore.acquire(0)
        let order = NIOLockedValueBox<[Int]>([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (count, user) in [1, 1, 1, 2, 0, 2].enumerated() {
                group.addTask {
                    try await semaphore.acquire(user)
                    order.withLockedValue { $0.append(user) }
                    semaphore.release(user)
                }
                try await until { semaphore.waitersCount == count + 1 }
            }
            semaphore.release(0)
            try await group.waitForAll()
        }
        #expect(order.withLockedValue { $0 } == [1, 2, 0, 1, 2, 1])
    }

    @Test func aCancelledWaiterLetsGo() async throws {
        let semaphore = FairSemaphore<Int>(maximum: 1)
        try await semaphore.acquire(1)
        for user in [1, 2] {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await expect(.cancelled) { try await semaphore.acquire(user) } }
                try await until { semaphore.waitersCount == 1 }
                group.cancelAll()
            }
            #expect(semaphore.waitersCount == 0)
        }
        semaphore.release(1)
        try await semaphore.acquire(2)
        semaphore.release(2)
        try await semaphore.acquire(1)
    }

    private func until(_ condition: () -> Bool) async throws {
        while !condition() { try await Task.yieldUnlessCancelled() }
    }
}
