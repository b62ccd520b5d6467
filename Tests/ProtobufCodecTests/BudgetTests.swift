import ProtobufCodec
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
    func aBudgetOfNothingStillUnpacksWhatIsSmall(_ budget: Int) {
        #expect(Fixture.kinds.refusal(of: [0x08, 0x01], budget: budget) == nil)
        #expect(Fixture.kinds.refusal(of: message, budget: budget) == DecodingFailure(.overBudget))
    }

    @Test func theDefaultBudgetHoldsTheMostFields() {
        let leaves = [[UInt8]](repeating: [0x3A, 0x00], count: DecodingLimits.fieldsMaximum).flatMap { $0 }
        #expect(Fixture.repeats.refusal(of: leaves) == nil)
    }
}
