import Testing

@testable import TTRPC

@Suite("The gate before a connection's outbound bytes", .timeLimit(.minutes(10)))
struct WriteGateTests {
    private let gone = RPCError(code: .cancelled, message: "gone")

    /// A gate with one open stream whose bytes are all taken.
    private func fullGate() async throws -> WriteGate {
        let gate = WriteGate(bytesMaximum: 100, total: .roomy)
        gate.open(1)
        try await gate.reserve(100, for: 1)
        #expect(gate.isFull)
        return gate
    }

    @Test func bytesAreCountedUntilTheyAreRead() async throws {
        let gate = WriteGate(bytesMaximum: 100, total: .roomy)
        gate.open(1)
        try await gate.reserve(99, for: 1)
        #expect(!gate.isFull)
        gate.add(1)
        #expect(gate.isFull)
        gate.remove(1)
        #expect(!gate.isFull)
    }

    @Test func aMessageLargerThanTheRoomPassesOnce() async throws {
        let gate = WriteGate(bytesMaximum: 100, total: .roomy)
        gate.open(1)
        try await gate.reserve(1000, for: 1)
        #expect(gate.isFull)
    }

    @Test func aWriterWaitsUntilHalfIsRead() async throws {
        let gate = try await fullGate()
        async let writer: Void = gate.reserve(10, for: 1)
        try await until { gate.waitersCount > 0 }
        gate.remove(49)
        #expect(gate.waitersCount == 1)
        gate.remove(1)
        try await writer
    }

    /// Two that come again and again, and never leave half free between them, kept all others waiting for ever.
    @Test func noMessagePassesOneThatWaits() async throws {
        let gate = WriteGate(bytesMaximum: 100, total: .roomy)
        gate.open(1)
        gate.open(2)
        try await gate.claim(60, for: 1)
        try await gate.claim(60, for: 1)
        async let first: Void = gate.claim(10, for: 2)
        try await until { gate.waitersCount == 1 }
        gate.removeClaim(60)
        async let second: Void = gate.claim(60, for: 1)
        try await until { gate.waitersCount == 2 }
        try await gate.reserve(1)
        gate.removeClaim(60)
        try await first
        try await second
    }

    @Test func anAnswerWaitsForRoomWhateverBecomesOfItsStream() async throws {
        let gate = try await fullGate()
        async let writer: Void = gate.reserve(10)
        try await until { gate.waitersCount > 0 }
        gate.end(1, gone)
        gate.remove(100)
        try await writer
        gate.close(gone)
        await #expect(throws: gone) { try await gate.reserve(1) }
    }

    /// What a writer throws that waits while `change` happens.
    private func errorOfWriter(_ change: (WriteGate) -> Void) async throws -> RPCError? {
        let gate = try await fullGate()
        async let writer = errorOfWriting(gate)
        try await until { gate.waitersCount > 0 }
        change(gate)
        return await writer
    }

    private func errorOfWriting(_ gate: WriteGate) async -> RPCError? {
        do throws(RPCError) {
            try await gate.reserve(10, for: 1)
            return nil
        } catch {
            return error
        }
    }

    @Test func aWriterOfAStreamThatEndsThrowsWhy() async throws {
        #expect(try await errorOfWriter { $0.end(1, gone) } == gone)
    }

    @Test func aWriterOfAConnectionThatClosesThrowsWhy() async throws {
        #expect(try await errorOfWriter { $0.close(gone) } == gone)
    }

    @Test func aCancelledWriterThrows() async throws {
        let gate = try await fullGate()
        let error = try await withThrowingTaskGroup { group in
            group.addTask { await errorOfWriting(gate) }
            try await until { gate.waitersCount > 0 }
            group.cancelAll()
            return try await group.next() ?? nil
        }
        #expect(error?.code == .cancelled)
        #expect(gate.waitersCount == 0)
    }

    @Test func aStreamThatHasEndedTakesNothingMore() async throws {
        let gate = WriteGate(bytesMaximum: 100, total: .roomy)
        gate.open(1)
        gate.end(1, gone)
        await #expect(throws: gone) { try await gate.reserve(1, for: 1) }
    }

    @Test func aStreamThatIsForgottenWritesNothing() async throws {
        let gate = WriteGate(bytesMaximum: 100, total: .roomy)
        gate.open(1)
        gate.forget(1)
        gate.end(1, gone)
        await #expect(throws: RPCError(code: .unavailable, message: "the stream has ended")) {
            try await gate.reserve(1, for: 1)
        }
    }

    @Test func whoHasMoreThanItsShareWaitsForTheOthers() async throws {
        let total = OutboundTotal(bytesMaximum: 100, share: 10)
        let hoarder = WriteGate(bytesMaximum: 1000, total: total)
        hoarder.add(95)
        let gate = WriteGate(bytesMaximum: 1000, total: total)
        try await gate.reserve(9)
        #expect(total.isFull)
        #expect(!gate.isFull, "a share is everybody's")
        try await gate.reserve(5)
        #expect(gate.isFull)
        async let writer: Void = gate.reserve(1)
        try await until { gate.waitersCount > 0 }
        gate.remove(9)
        try await writer
    }

    @Test func aMessageThatIsBeingMadeCountsAsIfItWereThere() async throws {
        let total = OutboundTotal(bytesMaximum: 100, share: 10)
        let gate = WriteGate(bytesMaximum: 100, total: total)
        gate.open(1)
        gate.open(3)
        try await gate.claim(100, for: 1)
        #expect(total.isFull)
        #expect(!gate.isFull, "the peer has read everything")
        async let other: Void = gate.claim(1, for: 3)
        try await until { gate.waitersCount > 0 }
        gate.removeClaim(100)
        try await other
        gate.removeClaim(1)
        gate.end(3, gone)
        await #expect(throws: gone) { try await gate.claim(1, for: 3) }
    }

    @Test func answersThatWaitAreCountedAndTooManyAreRefused() async throws {
        let total = OutboundTotal(bytesMaximum: 100, share: 10)
        let gate = WriteGate(bytesMaximum: 50, total: total)
        #expect(try await gate.reserve(answer: 50))
        async let waiting = gate.reserve(answer: 60)
        try await until { gate.waitersCount > 0 }
        #expect(total.isFull)
        #expect(try await !gate.reserve(answer: 1))
        gate.remove(50)
        let isAnswered = try await waiting
        #expect(isAnswered)
        #expect(!total.isFull, "60 bytes are left")
        gate.remove(60)
        #expect(try await gate.reserve(answer: 1))
    }

    @Test func aGateThatIsGoneLeavesNothingInTheTotal() {
        let total = OutboundTotal(bytesMaximum: 100, share: 10)
        do {
            let gate = WriteGate(bytesMaximum: 1000, total: total)
            gate.add(100)
            #expect(total.isFull)
        }
        #expect(!total.isFull)
    }
}

extension OutboundTotal {
    /// Never full.
    static var roomy: OutboundTotal { OutboundTotal(bytesMaximum: .max, share: .max) }
}
