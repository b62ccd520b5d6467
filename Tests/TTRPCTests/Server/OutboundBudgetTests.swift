import NIOConcurrencyHelpers
import Testing

@testable import TTRPC

@Suite("The outbound budget of a connection", .timeLimit(.minutes(10)))
struct OutboundBudgetTests {
    private let gone = RPCError(code: .cancelled, message: "gone")

    /// A full budget with one open stream.
    private func fullBudget() async throws -> OutboundBudget {
        let budget = OutboundBudget(bytesMaximum: 100, total: .roomy)
        budget.open(1)
        try await budget.reserve(100, for: 1)
        #expect(budget.isFull)
        return budget
    }

    @Test func bytesAreCountedUntilTheyAreRead() async throws {
        let budget = OutboundBudget(bytesMaximum: 100, total: .roomy)
        budget.open(1)
        try await budget.reserve(99, for: 1)
        #expect(!budget.isFull)
        budget.add(1)
        #expect(budget.isFull)
        budget.remove(1)
        #expect(!budget.isFull)
    }

    @Test func aMessageLargerThanTheRemainingBudgetPassesOnce() async throws {
        let budget = OutboundBudget(bytesMaximum: 100, total: .roomy)
        budget.open(1)
        try await budget.reserve(1000, for: 1)
        #expect(budget.isFull)
    }

    @Test func aWriterWaitsUntilHalfIsRead() async throws {
        let budget = try await fullBudget()
        async let writer: Void = budget.reserve(10, for: 1)
        try await until { budget.waitersCount > 0 }
        budget.remove(49)
        #expect(budget.waitersCount == 1)
        budget.remove(1)
        try await writer
    }

    /// Two writers that kept writing and never left half of the budget free starved all others.
    @Test func noMessageOvertakesAWaitingOne() async throws {
        let budget = OutboundBudget(bytesMaximum: 100, total: .roomy)
        budget.open(1)
        budget.open(2)
        try await budget.claim(60, for: 1)
        try await budget.claim(60, for: 1)
        async let first: Void = budget.claim(10, for: 2)
        try await until { budget.waitersCount == 1 }
        budget.removeClaim(60)
        async let second: Void = budget.claim(60, for: 1)
        try await until { budget.waitersCount == 2 }
        #expect(budget.admit(1) == .counted)
        budget.removeClaim(60)
        try await first
        try await second
    }

    @Test func anAnswerWaitsForTheBudgetEvenIfItsStreamEnds() async throws {
        let budget = try await fullBudget()
        let retries = NIOLockedValueBox(0)
        #expect(budget.admit(10, retries) == .waiting)
        budget.end(1, gone)
        #expect(budget.admit(10, hasWaited: true, retries) == .waiting, "nothing was read")
        #expect(retries.withLockedValue { $0 } == 1)
        budget.remove(49)
        #expect(budget.waitersCount == 1)
        budget.remove(1)
        #expect(budget.waitersCount == 0)
        #expect(retries.withLockedValue { $0 } == 2)
        #expect(budget.admit(10, hasWaited: true) == .counted)
    }

    @Test func aClosedConnectionReleasesTheAnswersThatWait() {
        let total = OutboundTotal(bytesMaximum: 100, share: 10)
        let budget = OutboundBudget(bytesMaximum: 50, total: total)
        let retries = NIOLockedValueBox(0)
        budget.add(50)
        #expect(budget.admit(60, retries) == .waiting)
        #expect(total.isFull)
        budget.close(gone)
        #expect(!total.isFull)
        #expect(retries.withLockedValue { $0 } == 1)
    }

    /// Returns the error of a writer that is waiting when `change` happens.
    private func errorOfWriter(_ change: (OutboundBudget) -> Void) async throws -> RPCError? {
        let budget = try await fullBudget()
        async let writer = errorOfWriting(budget)
        try await until { budget.waitersCount > 0 }
        change(budget)
        return await writer
    }

    private func errorOfWriting(_ budget: OutboundBudget) async -> RPCError? {
        do throws(RPCError) {
            try await budget.reserve(10, for: 1)
            return nil
        } catch {
            return error
        }
    }

    @Test func aWriterOfAnEndedStreamThrowsItsError() async throws {
        #expect(try await errorOfWriter { $0.end(1, gone) } == gone)
    }

    @Test func aWriterOfAClosedConnectionThrowsItsError() async throws {
        #expect(try await errorOfWriter { $0.close(gone) } == gone)
    }

    @Test func aCancelledWriterThrows() async throws {
        let budget = try await fullBudget()
        let error = try await withThrowingTaskGroup { group in
            group.addTask { await errorOfWriting(budget) }
            try await until { budget.waitersCount > 0 }
            group.cancelAll()
            return try await group.next() ?? nil
        }
        #expect(error?.code == .cancelled)
        #expect(budget.waitersCount == 0)
    }

    @Test func anEndedStreamAcceptsNoMoreMessages() async throws {
        let budget = OutboundBudget(bytesMaximum: 100, total: .roomy)
        budget.open(1)
        budget.end(1, gone)
        await #expect(throws: gone) { try await budget.reserve(1, for: 1) }
    }

    @Test func aRemovedStreamCannotWrite() async throws {
        let budget = OutboundBudget(bytesMaximum: 100, total: .roomy)
        budget.open(1)
        budget.forget(1)
        budget.end(1, gone)
        await #expect(throws: RPCError(code: .unavailable, message: "the stream has ended")) {
            try await budget.reserve(1, for: 1)
        }
    }

    @Test func aConnectionBeyondItsShareWaitsForTheOthers() async throws {
        let total = OutboundTotal(bytesMaximum: 100, share: 10)
        let hoarder = OutboundBudget(bytesMaximum: 1000, total: total)
        hoarder.add(95)
        let budget = OutboundBudget(bytesMaximum: 1000, total: total)
        budget.open(1)
        try await budget.reserve(9, for: 1)
        #expect(total.isFull)
        #expect(!budget.isFull, "each connection has its share")
        try await budget.reserve(5, for: 1)
        #expect(budget.isFull)
        async let writer: Void = budget.reserve(1, for: 1)
        try await until { budget.waitersCount > 0 }
        budget.remove(9)
        try await writer
    }

    @Test func aMessageThatIsBeingCreatedIsCounted() async throws {
        let total = OutboundTotal(bytesMaximum: 100, share: 10)
        let budget = OutboundBudget(bytesMaximum: 100, total: total)
        budget.open(1)
        budget.open(3)
        try await budget.claim(100, for: 1)
        #expect(total.isFull)
        #expect(!budget.isFull, "the peer has read everything")
        async let other: Void = budget.claim(1, for: 3)
        try await until { budget.waitersCount > 0 }
        budget.removeClaim(100)
        try await other
        budget.removeClaim(1)
        budget.end(3, gone)
        await #expect(throws: gone) { try await budget.claim(1, for: 3) }
    }

    @Test func waitingAnswersAreCountedAndTooManyAreRefused() {
        let total = OutboundTotal(bytesMaximum: 100, share: 10)
        let budget = OutboundBudget(bytesMaximum: 50, total: total)
        #expect(budget.admit(50) == .counted)
        #expect(budget.admit(60) == .waiting)
        #expect(total.isFull)
        #expect(budget.admit(1) == .refused)
        budget.remove(50)
        #expect(budget.admit(60, hasWaited: true) == .counted)
        #expect(!total.isFull, "60 bytes are left")
        #expect(budget.admit(40) == .waiting)
        #expect(total.isFull)
        #expect(budget.admit(40, hasWaited: true) == .waiting, "it is counted only once")
        budget.remove(60)
        #expect(!total.isFull, "40 bytes are left")
        #expect(budget.admit(40, hasWaited: true) == .counted)
        #expect(budget.admit(1) == .counted)
    }

    @Test func aReleasedBudgetLeavesNothingInTheTotal() {
        let total = OutboundTotal(bytesMaximum: 100, share: 10)
        do {
            let budget = OutboundBudget(bytesMaximum: 1000, total: total)
            budget.add(100)
            #expect(total.isFull)
        }
        #expect(!total.isFull)
    }
}

extension OutboundBudget {
    /// Admits an answer, whose retries are counted.
    fileprivate func admit(
        _ count: Int,
        hasWaited: Bool = false,
        _ retries: NIOLockedValueBox<Int> = NIOLockedValueBox(0)
    ) -> Admission {
        admit(answer: count, hasWaited: hasWaited) { { retries.withLockedValue { $0 += 1 } } }
    }
}

extension OutboundTotal {
    /// A total that is never reached.
    static var roomy: OutboundTotal { OutboundTotal(bytesMaximum: .max, share: .max) }
}
