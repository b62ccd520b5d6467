import CTTRPCMessages
import ProtobufCodec
import Testing

@Suite struct EnvelopeTests {
    private let bytes: [UInt8] = [
        0x0A, 0x03, 0x61, 0x2E, 0x62,  // service = "a.b"
        0x12, 0x01, 0x43,  // method = "C"
        0x1A, 0x02, 0x00, 0xFF,  // payload
        0x20, 0x05,  // timeout_nano = 5
        0x2A, 0x06, 0x0A, 0x01, 0x6B, 0x12, 0x01, 0x76,  // metadata: k = v
    ]

    @Test func aRequestIsPackedAsItsGoldenBytes() {
        let packed = unsafe Scratch.pack(ttrpc__request__init) { (fields, scratch) in
            unsafe fields.service = scratch.text("a.b")
            unsafe fields.method = scratch.text("C")
            unsafe fields.payload = scratch.bytes([0x00, 0xFF])
            unsafe fields.timeout_nano = 5
            let pair = unsafe scratch.message(ttrpc__key_value__init) { (fields, scratch) in
                unsafe fields.key = scratch.text("k")
                unsafe fields.value = scratch.text("v")
            }
            unsafe fields.n_metadata = 1
            unsafe fields.metadata = scratch.list([pair])
        }
        #expect(packed == bytes)
    }

    @Test func aRequestIsReadFromItsGoldenBytes() throws {
        try unsafe Unpacked(bytes, ttrpc__request__init).read { fields in
            #expect(unsafe String(field: fields.service) == "a.b")
            #expect(unsafe String(field: fields.method) == "C")
            #expect(unsafe [UInt8](field: fields.payload) == [0x00, 0xFF])
            #expect(unsafe fields.timeout_nano == 5)
            #expect(unsafe fields.n_metadata == 1)
            let pair = try unsafe #require(fields.metadata?[0]).pointee
            #expect(unsafe String(field: pair.key) == "k")
            #expect(unsafe String(field: pair.value) == "v")
        }
    }
}
