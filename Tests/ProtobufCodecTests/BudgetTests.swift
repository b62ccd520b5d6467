import CCodecFixtures
@testable import ProtobufCodec
import Testing

@Suite struct BudgetTests {
    /// `bytes` of 64 KiB in a `Kinds`.
    private let message = [0x82, 0x01] + varint(64 << 10) + [UInt8](repeating: 7, count: 64 << 10)

    @Test func aMessageAboveItsBudgetIsRefused() {
        #expect(Fixture.kinds.refusal(of: message, budget: 64 << 10) == DecodingFailure(.overBudget))
    }

    @Test func aMessageWithinItsBudgetIsUnpacked() {
        #expect(Fixture.kinds.refusal(of: message, budget: 68 << 10) == nil)
    }

    @Test(arguments: [Int.min, -1, 0, 1])
    func aZeroBudgetStillUnpacksSmallMessages(_ budget: Int) {
        #expect(Fixture.kinds.refusal(of: [0x08, 0x01], budget: budget) == nil)
        #expect(Fixture.kinds.refusal(of: message, budget: budget) == DecodingFailure(.overBudget))
    }

    @Test func theDefaultBudgetHoldsTheMostFields() {
        let leaves = [[UInt8]](repeating: [0x3A, 0x00], count: DecodingLimits.fieldsMaximum).flatMap { $0 }
        #expect(Fixture.repeats.refusal(of: leaves) == nil)
    }
}

@Suite("The memory of all messages that are being decoded")
struct ArenaPoolTests {
    /// 64 KiB of `bytes` in a `Kinds`, which needs more than an arena's first chunk.
    private let message = [0x82, 0x01] + varint(64 << 10) + [UInt8](repeating: 7, count: 64 << 10)

    @Test func messagesInUseTakeFromThePoolUntilItIsEmpty() throws {
        let pool = ArenaPool(bytesMaximum: 160 << 10)
        try unpack(pool) {
            try unpack(pool) {
                #expect(throws: DecodingFailure(.overAllBudget)) { try unpack(pool) {} }
            }
            try unpack(pool) {}
        }
        #expect(pool.bytesTaken == 0, "memory was not returned to the pool")
    }

    @Test func aMessageAboveItsOwnBudgetIsReportedEvenIfThePoolHasRoom() {
        let pool = ArenaPool(bytesMaximum: .max / 2)
        #expect(throws: DecodingFailure(.overBudget)) { try unpack(pool, budget: 4 << 10) {} }
        #expect(pool.bytesTaken == 0)
    }

    @Test func aSmallMessageTakesNothingFromThePool() throws {
        let pool = ArenaPool(bytesMaximum: 0)
        try unpack(pool, [0x08, 0x01]) {}
    }

    @Test func allMessagesOfAProcessShareSixteenMebibytes() {
        #expect(DecodingLimits.arenaBytesInAllMaximum == 16 << 20)
        #expect(DecodingLimits.arenaBytesMaximum == 1 << 20)
    }

    private func unpack(
        _ pool: ArenaPool,
        _ bytes: [UInt8]? = nil,
        budget: Int = DecodingLimits.arenaBytesMaximum,
        _ body: () throws -> Void
    ) throws {
        let bytes = bytes ?? message
        let unpacked = try unsafe Unpacked(bytes.span, fixtures__kinds__init, budget: budget, pool: pool)
        try unsafe unpacked.read { _ in try body() }
    }
}
