import CCodecFixtures
import ProtobufCodec
import Testing

@Suite struct KindsTests {
    static let golden = [UInt8](
        hex: """
            08 FEFFFFFFFFFFFFFFFF01  # int32 = -2
            10 03  # sint32 = -2
            1D FEFFFFFF  # sfixed32 = -2
            20 FEFFFFFFFFFFFFFFFF01  # int64 = -2
            28 03  # sint64 = -2
            31 FEFFFFFFFFFFFFFF  # sfixed64 = -2
            38 AC02  # uint32 = 300
            45 2C010000  # fixed32 = 300
            48 AC02  # uint64 = 300
            51 2C01000000000000  # fixed64 = 300
            5D 0000803F  # float = 1
            61 000000000000F03F  # double = 1
            68 01  # bool
            70 05  # enum = BLUE
            7A 03 E282AC  # string = "€"
            8201 02 00FF  # bytes
            8A01 02 0809  # message { value = 9 }
            """
    )

    @Test func everyKindIsReadFromItsGoldenBytes() throws {
        try unsafe Unpacked(Self.golden, fixtures__kinds__init).read { fields in
            #expect(unsafe (fields.int32, fields.sint32, fields.sfixed32) == (-2, -2, -2))
            #expect(unsafe (fields.int64, fields.sint64, fields.sfixed64) == (-2, -2, -2))
            #expect(unsafe (fields.uint32, fields.fixed32, fields.uint64, fields.fixed64) == (300, 300, 300, 300))
            #expect(
                unsafe (fields.float_, fields.double_, fields.bool_, fields.enum_) == (1, 1, 1, FIXTURES__COLOUR__BLUE)
            )
            #expect(unsafe String(field: fields.string) == "€")
            #expect(unsafe [UInt8](field: fields.bytes) == [0, 0xFF])
            #expect(unsafe fields.message?.pointee.value == 9)
        }
    }

    @Test func everyKindIsPackedAsItsGoldenBytes() {
        let packed = unsafe Scratch.pack(fixtures__kinds__init) { (fields, scratch) in
            unsafe (fields.int32, fields.sint32, fields.sfixed32) = (-2, -2, -2)
            unsafe (fields.int64, fields.sint64, fields.sfixed64) = (-2, -2, -2)
            unsafe (fields.uint32, fields.fixed32, fields.uint64, fields.fixed64) = (300, 300, 300, 300)
            unsafe (fields.float_, fields.double_, fields.bool_, fields.enum_) = (1, 1, 1, FIXTURES__COLOUR__BLUE)
            unsafe fields.string = scratch.text("€")
            unsafe fields.bytes = scratch.bytes([0, 0xFF])
            unsafe fields.message = scratch.message(fixtures__leaf__init) { (fields, _) in
                unsafe fields.value = 9
            }
        }
        #expect(packed == Self.golden)
    }

    @Test func aMessageCutShortAnywhereIsReadOrRefused() {
        let refused = Self.golden.indices.filter { Fixture.kinds.refusal(of: Array(Self.golden[..<$0])) != nil }
        #expect(refused.count == Self.golden.count - 17, "a message may end only after one of the 17 fields")
    }

    @Test func aMessageWithAnyBitFlippedIsReadOrRefused() {
        var refused = 0
        for bit in 0..<Self.golden.count * 8 {
            var flipped = Self.golden
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            refused += Fixture.kinds.refusal(of: flipped) == nil ? 0 : 1
        }
        #expect(refused > Self.golden.count, "most flips of tags and lengths must be refused")
    }

    @Test func aMessageInABufferIsReadLikeOneInAnArray() throws {
        let text = try unsafe Self.golden.withUnsafeBytes { buffer in
            try unsafe Unpacked(buffer, fixtures__kinds__init).read { unsafe String(field: $0.string) }
        }
        #expect(text == "€")
    }

    @Test func anAbsentMemberOfAOneofDiffersFromAnEmptyOne() throws {
        let absent = try unsafe Unpacked([UInt8](), fixtures__choice__init).read { unsafe $0.text_presence_case }
        let empty = try unsafe Unpacked([0x22, 0x00], fixtures__choice__init).read { unsafe $0.text_presence_case }
        #expect(absent == FIXTURES__CHOICE__TEXT_PRESENCE__NOT_SET)
        #expect(empty == FIXTURES__CHOICE__TEXT_PRESENCE_OPTIONAL_TEXT)
    }
}
