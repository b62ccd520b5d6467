import NIOConcurrencyHelpers
import TillEngine
import TillModel
import TillTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct TurnsTests {
    @Test func aUsersSecondCallWaitsAndAnothersDoesNot() async throws {
        let turns = Turns<Int>(maximum: 2)
        try await turns.begin(1)
        async let second: Void = turns.begin(1)
        try await until { turns.waitersCount == 1 }
        try await turns.begin(2)
        #expect(turns.waitersCount == 1)
        turns.end(2)
        #expect(turns.waitersCount == 1, "the place is free, and the user has its turn")
        turns.end(1)
        try await second
        #expect(turns.waitersCount == 0)
    }

    @Test func noMoreHaveATurnThanMay() async throws {
        let turns = Turns<Int>(maximum: 2)
        try await turns.begin(1)
        try await turns.begin(2)
        async let third: Void = turns.begin(3)
        try await until { turns.waitersCount == 1 }
        turns.end(1)
        try await third
    }

    /// Whoever has many calls is not before those who have one.
    @Test func theUsersWhoWaitFollowEachOther() async throws {
        let turns = Turns<Int>(maximum: 1)
        try await turns.begin(0)
        let order = NIOLockedValueBox<[Int]>([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (count, user) in [1, 1, 1, 2, 0, 2].enumerated() {
                group.addTask {
                    try await turns.begin(user)
                    order.withLockedValue { $0.append(user) }
                    turns.end(user)
                }
                try await until { turns.waitersCount == count + 1 }
            }
            turns.end(0)
            try await group.waitForAll()
        }
        #expect(order.withLockedValue { $0 } == [1, 2, 0, 1, 2, 1])
    }

    @Test func aCancelledWaiterLetsGo() async throws {
        let turns = Turns<Int>(maximum: 1)
        try await turns.begin(1)
        for user in [1, 2] {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await expect(.cancelled) { try await turns.begin(user) } }
                try await until { turns.waitersCount == 1 }
                group.cancelAll()
            }
            #expect(turns.waitersCount == 0)
        }
        turns.end(1)
        try await turns.begin(2)
        turns.end(2)
        try await turns.begin(1)
    }

    private func until(_ condition: () -> Bool) async throws {
        while !condition() { try await Task.yieldUnlessCancelled() }
    }
}
