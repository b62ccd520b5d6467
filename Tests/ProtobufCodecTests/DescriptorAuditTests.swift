import CCodecFixtures
import CTTRPCMessages
import ProtobufCodec
import Testing

@Suite struct DescriptorAuditTests {
    @Test func aTypeThatReachesItselfIsFound() {
        let faults = unsafe DescriptorAudit.faults(of: fixtures__tree__init)
        #expect(faults == ["fixtures.Tree > fixtures.Branch > fixtures.Tree: reaches itself"])
    }

    @Test func theEnvelopesOfTTRPCAreFit() {
        #expect(unsafe DescriptorAudit.faults(of: ttrpc__request__init) == [])
        #expect(unsafe DescriptorAudit.faults(of: ttrpc__response__init) == [])
    }
}
