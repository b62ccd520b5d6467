import CCodecFixtures
import CTTRPCMessages
import ProtobufCodec
import TestValues
import Testing

@Suite struct SoundnessTests {
    /// Makes fields of any number and wire type, so that many messages are almost valid and some are valid.
    private func fields(_ random: inout SplitMix64, depth: Int) -> [UInt8] {
        (0..<Int.random(in: 0...4, using: &random)).flatMap { _ -> [UInt8] in
            let number = UInt64.random(in: 1...20, using: &random)
            let wireType = [0, 0, 1, 2, 2, 2, 5, 3].randomElement(using: &random) ?? 0
            return varint(number << 3 | UInt64(wireType)) + value(&random, wireType, depth)
        }
    }

    private func value(_ random: inout SplitMix64, _ wireType: Int, _ depth: Int) -> [UInt8] {
        switch wireType {
        case 0: varint(random.next() >> UInt64.random(in: 0...63, using: &random))
        case 1: [UInt8](repeating: 1, count: 8)
        case 2:
            {
                let inner = depth > 0 && Bool.random(using: &random) ? fields(&random, depth: depth - 1) : [0x41, 0x01]
                return varint(UInt64(inner.count)) + inner
            }()
        default: [UInt8](repeating: 1, count: 4)
        }
    }

    @Test(arguments: Fixture.allCases)
    func messagesThatTheScanAcceptsAreUnpacked(_ fixture: Fixture) {
        var random = SplitMix64(seed: 7)
        var accepted = 0
        for _ in 0..<5000 {
            let bytes = fields(&random, depth: 9)
            let refusal = fixture.refusal(of: bytes)
            accepted += refusal == nil ? 1 : 0
            #expect(refusal?.reason != .overBudget, "protobuf-c refused \(bytes)")
        }
        #expect(accepted > 1000, "too few messages are valid to prove anything")
    }
}

@Suite struct DescriptorAuditTests {
    @Test func aTypeThatReachesItselfIsFound() {
        let faults = unsafe DescriptorAudit.faults(of: fixtures__tree__init)
        #expect(faults == ["fixtures.Tree > fixtures.Branch > fixtures.Tree: reaches itself"])
    }

    @Test func theEnvelopesOfTTRPCHaveNoFaults() {
        #expect(unsafe DescriptorAudit.faults(of: ttrpc__request__init) == [])
        #expect(unsafe DescriptorAudit.faults(of: ttrpc__response__init) == [])
    }
}
