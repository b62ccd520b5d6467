import Testing

@testable import TillDaemon

@Suite struct TarHeaderTests {
    /// The largest size in octal digits, and sizes beyond it.
    @Test(arguments: [0, 1, 511, 512, (1 << 33) - 1, 1 << 33, 9 << 30, 1 << 62] as [UInt64])
    func aHeaderOfAnySizeComesBackUnchanged(_ byteCount: UInt64) throws {
        let header = TarHeader(name: "ledger.sqlite", byteCount: byteCount, date: 1_700_000_000)
        #expect(header.bytes.count == TarHeader.blockBytes)
        #expect(TarHeader(header.bytes) == header)
    }

    @Test func aHeaderWithAnyOtherByteIsRefused() {
        let bytes = TarHeader(name: "ledger.sqlite", byteCount: 12345, date: 1_700_000_000).bytes
        for offset in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[offset] ^= 1 << UInt8(bit)
                #expect(TarHeader(changed) == nil, "bit \(bit) of byte \(offset)")
            }
        }
        #expect(TarHeader(Array(bytes.dropLast())) == nil)
        #expect(TarHeader(Array(repeating: 0, count: TarHeader.blockBytes)) == nil)
        #expect(TarHeader(Array(repeating: 0xFF, count: TarHeader.blockBytes)) == nil)
    }

    @Test func aMemberIsPaddedToWholeBlocks() {
        #expect([0, 1, 511, 512, 513].map { TarHeader.padding(after: $0) } == [0, 511, 1, 0, 511])
    }
}
