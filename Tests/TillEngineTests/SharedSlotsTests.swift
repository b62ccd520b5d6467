import Testing
@testable import TillEngine

@Suite struct SharedSlotsTests {
    private typealias Slots = SharedSlots<JobShare>

    @Test(arguments: [(slots: 128, parts: 1, each: 64), (128, 3, 32), (9, 2, 3), (1, 1, 1)])
    func busyPartsLeaveAsManySlotsFreeAsEachOfThemHolds(slots: Int, parts: Int, each: Int) {
        var shared = Slots(count: slots)
        let shares = (0..<parts).map { JobShare(owner: "\($0)", part: "a") }
        shares.forEach { Self.fill(&shared, $0) }
        let taken = shared.take()
        for share in shares {
            #expect(taken.count { $0 == share } == each)
        }
    }

    @Test func aPartThatHeldNothingFindsASlotAtOnce() {
        var shared = Slots(count: 64)
        Self.fill(&shared, JobShare(owner: "a", part: "1"))
        _ = shared.take()
        for newcomer in [JobShare(owner: "a", part: "2"), JobShare(owner: "b", part: "1")] {
            shared.add(newcomer, of: newcomer)
            #expect(shared.take() == [newcomer])
        }
    }

    @Test func anOwnersPartsHoldAtMostSevenEighths() {
        var shared = Slots(count: 64)
        for part in 0..<100 {
            Self.fill(&shared, JobShare(owner: "a", part: "\(part)"), count: 10)
        }
        #expect(shared.take().count == 56)
        let other = JobShare(owner: "b", part: "1")
        Self.fill(&shared, other)
        #expect(shared.take().count { $0 == other } == 4)
    }

    @Test func ownersAndTheirPartsTakeTurns() {
        var shared = Slots(count: 1)
        let shares = [("a", "1"), ("a", "2"), ("b", "1")].map { JobShare(owner: $0.0, part: $0.1) }
        shares.forEach { Self.fill(&shared, $0, count: 2) }
        var order: [String] = []
        while let next = shared.take().first {
            order.append(next.owner + next.part)
            shared.end(next)
        }
        #expect(order == ["a1", "b1", "a2", "b1", "a1", "a2"])
        #expect(shared.waitingCount == 0)
    }

    @Test func aReleasedSlotIsTakenAgain() {
        var shared = Slots(count: 4)
        let share = JobShare(owner: "a", part: "1")
        Self.fill(&shared, share, count: 100)
        var done = 0
        while case let taken = shared.take(), !taken.isEmpty {
            #expect(taken.count <= 4)
            taken.forEach { shared.end($0) }
            done += taken.count
        }
        #expect(done == 100)
    }

    private static func fill(_ shared: inout Slots, _ share: JobShare, count: Int = 1000) {
        (0..<count).forEach { _ in shared.add(share, of: share) }
    }
}
