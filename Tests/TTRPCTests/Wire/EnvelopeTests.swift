import NIOCore
import Testing

@testable import TTRPC

@Suite("Request and Response, byte by byte")
struct EnvelopeTests {
    /// A request as Go's ttrpc writes it: the fields in the order of their numbers.
    private static let goRequest: [UInt8] =
        [0x0A, 3] + Array("svc".utf8) + [0x12, 2] + Array("Do".utf8) + [0x1A, 2, 8, 9, 0x20, 0xE8, 0x07]
        + [0x2A, 6, 0x0A, 1, 0x6B, 0x12, 1, 0x76] + [0x2A, 3, 0x0A, 1, 0x6B]

    private static let request = RequestEnvelope(
        service: "svc",
        method: "Do",
        payload: [8, 9],
        timeout: 1000,
        metadata: Metadata([.init(key: "k", value: "v"), .init(key: "k", value: "")])
    )

    @Test func aRequestEncodedByGoIsRead() throws {
        #expect(try RequestEnvelope(wire: ByteBuffer(bytes: Self.goRequest)) == Self.request)
    }

    @Test func aWrittenRequestIsReadBack() throws {
        var buffer = ByteBuffer()
        Self.request.write(to: &buffer)
        #expect(try RequestEnvelope(wire: buffer) == Self.request)
        #expect(buffer.readableBytes == Self.goRequest.count)
    }

    @Test func aTruncatedRequestIsReadOrRefusedAndNeverTraps() throws {
        var refused = 0
        for count in 0..<Self.goRequest.count {
            let bytes = ByteBuffer(bytes: Self.goRequest.prefix(count))
            guard case .failure(let error) = Result(catching: { try RequestEnvelope(wire: bytes) }) else { continue }
            refused += 1
            #expect((error as? RPCError)?.code == .invalidArgument, "after \(count) bytes")
        }
        #expect(refused > 0)
    }

    @Test func aRequestWithAFlippedBitIsReadOrRefusedAndNeverTraps() {
        var read = 0
        for bit in 0..<Self.goRequest.count * 8 {
            var bytes = Self.goRequest
            bytes[bit / 8] ^= 1 << (bit % 8)
            guard let request = try? RequestEnvelope(wire: ByteBuffer(bytes: bytes)) else { continue }
            read += 1
            #expect(request != Self.request, "bit \(bit)")
        }
        #expect(read > 0)
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
    }

    @Test(arguments: [
        Bad(testDescription: "service twice", bytes: [0x0A, 1, 0x73, 0x0A, 1, 0x73]),
        Bad(testDescription: "service not UTF-8", bytes: [0x0A, 1, 0xFF]),
        Bad(testDescription: "NUL in the method", bytes: [0x12, 1, 0]),
        Bad(testDescription: "service as a number", bytes: [0x08, 1]),
        Bad(testDescription: "endless length", bytes: [0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F]),
        Bad(testDescription: "field number 0", bytes: [0x02, 1, 1]),
    ])
    func aRequestThatIsNoneIsRefused(bad: Bad) {
        #expect { try RequestEnvelope(wire: ByteBuffer(bytes: bad.bytes)) } throws: { error in
            (error as? RPCError)?.code == .invalidArgument
        }
    }

    @Test func aFrameFullOfMetadataIsRefusedWithinTheBudget() {
        let empty: [UInt8] = [0x2A, 0]
        let bytes = Array(repeatElement(empty, count: 100_000).joined())
        #expect(throws: RPCError.self) { try RequestEnvelope(wire: ByteBuffer(bytes: bytes)) }
    }

    @Test func aPayloadAsLongAsTheLongestFrameIsRead() throws {
        let payload = [UInt8](repeating: 7, count: Frame.lengthMaximum - 16)
        var buffer = ByteBuffer()
        RequestEnvelope(service: "s", method: "m", payload: payload).write(to: &buffer)
        #expect(try RequestEnvelope(wire: buffer).payload == payload)
    }

    struct Answer: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let envelope: ResponseEnvelope
        var isWrittenSo = true
    }

    @Test(arguments: [
        Answer(testDescription: "nothing", bytes: [], envelope: .success([])),
        Answer(testDescription: "a payload", bytes: [0x12, 2, 8, 9], envelope: .success([8, 9])),
        Answer(
            testDescription: "an empty status, as Go writes it",
            bytes: [0x0A, 0, 0x12, 1, 8],
            envelope: .success([8]),
            isWrittenSo: false
        ),
        Answer(
            testDescription: "an error",
            bytes: [0x0A, 5, 0x08, 5, 0x12, 1, 0x6E],
            envelope: .failure(RPCError(code: .notFound, message: "n"))
        ),
        Answer(
            testDescription: "a code that is not known",
            bytes: [0x0A, 3, 0x08, 0xE8, 0x07],
            envelope: .failure(RPCError(code: RPCStatusCode(rawValue: 1000), message: ""))
        ),
        Answer(
            testDescription: "an error with a payload",
            bytes: [0x0A, 2, 0x08, 5, 0x12, 1, 8],
            envelope: .failure(RPCError(code: .notFound, message: "")),
            isWrittenSo: false
        ),
    ])
    func aResponseIsReadFromItsBytesAndWrittenSo(answer: Answer) throws {
        #expect(try ResponseEnvelope(wire: ByteBuffer(bytes: answer.bytes)) == answer.envelope)
        var buffer = ByteBuffer()
        answer.envelope.write(to: &buffer)
        if answer.isWrittenSo { #expect(Array(buffer: buffer) == answer.bytes) }
    }

    @Test func anAnswerOfEveryLengthIsReadBack() throws {
        for count in [1, 127, 128, 16_383, 16_384, 200_000] {
            let payload = [UInt8](repeating: 3, count: count)
            var buffer = ByteBuffer()
            ResponseEnvelope.success(payload).write(to: &buffer)
            #expect(try ResponseEnvelope(wire: buffer) == .success(payload))
        }
    }

    @Test func everyCodeHasItsName() {
        #expect(RPCStatusCode.ok.description == "OK")
        #expect(RPCStatusCode.unauthenticated.description == "UNAUTHENTICATED")
        #expect(RPCStatusCode(rawValue: 17).description == "CODE_17")
    }
}
