import TillModel
import TillWire
import Testing

@Suite struct GoldenTests {
    static let all =
        Golden.values + Golden.paymentQueue + Golden.others + Golden.subscriptions + Golden.buying
        + Golden.authorization + Golden.operators + Golden.downloads + Golden.receipts

    @Test(arguments: all)
    func aValueIsWrittenAsItsGoldenBytes(_ golden: Golden) {
        #expect(golden.written() == golden.bytes)
    }

    @Test(arguments: all)
    func goldenBytesAreReadAsTheirValue(_ golden: Golden) throws {
        #expect(try golden.isReadExactly())
    }

    @Test(arguments: all)
    func bytesCutShortAnywhereAreReadOrRefused(_ golden: Golden) {
        for count in golden.bytes.indices {
            expectReadOrRefused(Array(golden.bytes[..<count]), by: golden)
        }
    }

    @Test(arguments: all)
    func bytesWithAnyBitFlippedAreReadOrRefused(_ golden: Golden) {
        for bit in 0..<golden.bytes.count * 8 {
            var flipped = golden.bytes
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            expectReadOrRefused(flipped, by: golden)
        }
    }

    @Test(arguments: all)
    func noTypeCanBeNestedWithoutEnd(_ golden: Golden) {
        #expect(golden.typeFaults() == [])
    }

    private func expectReadOrRefused(_ bytes: [UInt8], by golden: Golden) {
        do throws(TillError) {
            #expect(try golden.isReadStably(bytes), "reading what was read from \(bytes) gives another value")
        } catch {
            #expect(error.code == .invalidArgument)
        }
    }
}
