import ProtobufCodec
import Testing

@Suite struct PrescanTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var fixture: Fixture
        var hex: String
        var failure: DecodingFailure?

        init(_ name: String, _ fixture: Fixture, _ hex: String, _ reason: DecodingFailure.Reason?, _ path: String = "")
        {
            testDescription = name
            self.fixture = fixture
            self.hex = hex
            failure = reason.map { DecodingFailure($0, at: path) }
        }
    }

    static let meanings: [Case] = [
        Case("singular message twice", .kinds, "8A01 02 0805 8A01 02 0807", .duplicate, "message"),
        Case("scalar twice", .kinds, "0801 0802", .duplicate, "int32"),
        Case("oneof member twice", .choice, "0801 0802", .duplicate, "number"),
        Case("two members of one oneof", .choice, "0801 1A02 0803", .duplicate, "leaf"),
        Case("members of different oneofs", .choice, "0801 2201 61", nil),
        Case("text with NUL", .kinds, "7A03 610062", .containsNUL, "string"),
        Case("text of FF FE", .kinds, "7A02 FFFE", .invalidUTF8, "string"),
        Case("overlong text", .kinds, "7A02 C080", .invalidUTF8, "string"),
        Case("surrogate in text", .kinds, "7A03 EDA080", .invalidUTF8, "string"),
        Case("text cut in a character", .kinds, "7A02 E282", .invalidUTF8, "string"),
        Case("repeated text with NUL", .repeats, "3201 61 3201 00", .containsNUL, "strings"),
        Case("text of a oneof", .choice, "1201 FF", .invalidUTF8, "text"),
        Case("bytes with NUL and FF", .kinds, "820102 00FF", nil),
        Case("enumerator 5", .kinds, "7005", nil),
        Case("enumerator 99", .kinds, "7063", .unknownEnumValue, "enum"),
        Case("enumerator 2, in a gap", .kinds, "7002", .unknownEnumValue, "enum"),
        Case("enumerator -1", .kinds, "70 FFFFFFFFFFFFFFFFFF01", .unknownEnumValue, "enum"),
        Case("enumerator 2^32", .kinds, "70 8080808010", .outOfRange, "enum"),
        Case("int32 of 2^40 + 5", .kinds, "08 858080808020", .outOfRange, "int32"),
        Case("int32 of -1", .kinds, "08 FFFFFFFFFFFFFFFFFF01", nil),
        Case("int32 of 2^31", .kinds, "08 8080808008", .outOfRange, "int32"),
        Case("sint32 of 33 bits", .kinds, "10 8080808010", .outOfRange, "sint32"),
        Case("uint32 of 2^32 - 1", .kinds, "38 FFFFFFFF0F", nil),
        Case("uint32 of 2^32", .kinds, "38 8080808010", .outOfRange, "uint32"),
        Case("uint64 of 2^64 - 1", .kinds, "48 FFFFFFFFFFFFFFFFFF01", nil),
        Case("uint64 of 65 bits", .kinds, "48 FFFFFFFFFFFFFFFFFF02", .malformedVarint, "uint64"),
        Case("varint of 11 bytes", .kinds, "48 8080808080808080808000", .malformedVarint, "uint64"),
        Case("bool of 2", .kinds, "6802", .outOfRange, "bool"),
        Case("bool of wire type 64-bit", .kinds, "69 0100000000000000", .wrongWireType, "bool"),
        Case("int32 of wire type 32-bit", .kinds, "0D 01000000", .wrongWireType, "int32"),
        Case("text of wire type varint", .kinds, "7801", .wrongWireType, "string"),
        Case("singular number packed", .kinds, "0A01 01", .wrongWireType, "int32"),
        Case("start of a group", .kinds, "0B", .wrongWireType, "#1"),
        Case("end of a group", .kinds, "0C", .wrongWireType, "#1"),
        Case("wire type 6", .kinds, "0E", .wrongWireType, "#1"),
        Case("field number 0", .kinds, "0000", .malformedFieldNumber),
        Case("field number 2^29 - 1", .kinds, "F8FFFFFF0F 00", nil),
        Case("field number above 2^29 - 1", .kinds, "F8FFFFFF1F 00", .malformedVarint),
        Case("tag of 6 bytes", .kinds, "888080808000 01", .malformedVarint),
        Case("tag of 2 bytes where 1 suffices", .kinds, "8800 01", nil),
        Case("length of 6 bytes", .kinds, "7A 818080808000 61", .malformedVarint, "string"),
        Case("length of 2^32 - 1", .kinds, "7A FFFFFFFF0F 61", .truncated, "string"),
        Case("length of 2^31 - 1", .kinds, "7A FFFFFFFF07 61", .truncated, "string"),
        Case("length beyond the message it is in", .holder, "0A02 3204 61616161", .truncated, "repeats.strings"),
        Case("number cut short", .kinds, "0880", .truncated, "int32"),
        Case("tag cut short", .kinds, "80", .truncated),
        Case("fixed32 cut short", .kinds, "45 010203", .truncated, "fixed32"),
        Case("double cut short", .kinds, "61 01020304050607", .truncated, "double"),
        Case("unknown text cut short", .kinds, "A20604 61", .truncated, "#100"),
        Case("unknown fields of every wire type", .kinds, "A00605 A206 01FF A506 01020304 A106 0102030405060708", nil),
        Case("packed numbers", .repeats, "0A03 010203", nil),
        Case("numbers not packed", .repeats, "0801 0802", nil),
        Case("packed number cut by its list", .repeats, "0A02 0180 0801", .truncated, "int32s"),
        Case("packed fixed32 cut by its list", .repeats, "1203 010203", .truncated, "fixed32s"),
        Case("packed enumerator 3", .repeats, "2A02 0103", .unknownEnumValue, "enums"),
        Case("empty packed list", .repeats, "0A00", nil),
        Case("nothing", .kinds, "", nil),
    ]

    @Test(arguments: meanings)
    func eachEncodingIsAcceptedOrRefusedExactly(_ example: Case) {
        #expect(example.fixture.refusal(of: [UInt8](hex: example.hex)) == example.failure)
    }

    @Test func sixteenUnknownFieldsPassAndSeventeenDoNot() {
        let unknown: [UInt8] = [0xA0, 0x06, 0x00]
        let most = [[UInt8]](repeating: unknown, count: DecodingLimits.unknownFieldsMaximum).flatMap { $0 }
        #expect(Fixture.kinds.refusal(of: most) == nil)
        #expect(Fixture.kinds.refusal(of: most + unknown) == DecodingFailure(.tooManyUnknownFields))
    }

    @Test func theLimitOfFieldsCountsPackedElementsToo() {
        let list = [UInt8](repeating: 1, count: DecodingLimits.fieldsMaximum - 1)
        let length = UInt32(list.count)
        let most = [0x22, UInt8(length & 0x7F | 0x80), UInt8(length >> 7)] + list
        #expect(Fixture.repeats.refusal(of: most) == nil)
        #expect(Fixture.repeats.refusal(of: most + [0x20, 0x01]) == DecodingFailure(.tooManyFields))
    }

    @Test func eightNestedMessagesPassAndNineDoNot() {
        #expect(Fixture.tree.refusal(of: nestedTrees(depth: DecodingLimits.depthMaximum)) == nil)
        let failure = Fixture.tree.refusal(of: nestedTrees(depth: DecodingLimits.depthMaximum + 1))
        #expect(failure?.reason == .tooDeep)
        #expect(failure?.path == "branch.trees.branch.trees.branch.trees.branch.trees")
    }
}
