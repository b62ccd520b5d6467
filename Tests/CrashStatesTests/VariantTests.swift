import CrashStates
import Testing

@Suite struct VariantTests {
    @Test(
        arguments: [Variant.Bytes.flushed, .written, .begun, .sectors(512), .sectors(4096)],
        Variant.Names.allCases
    )
    func aVariantIsParsedFromItsDescription(_ bytes: Variant.Bytes, _ names: Variant.Names) {
        let variant = Variant(bytes, names, seed: .max)
        #expect(Variant("\(variant)") == variant)
    }

    @Test(arguments: ["", "flushed", "flushed,strict", "0,strict,1", "flushed,loose,1", "flushed,strict,x", "a,b,c,d"])
    func invalidTextsAreRefused(_ text: String) {
        #expect(Variant(text) == nil)
    }
}
