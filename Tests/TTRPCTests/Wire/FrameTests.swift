import NIOCore
import Testing
@testable import TTRPC

/// The bytes of every kind of frame, written out by hand after PROTOCOL.md of containerd/ttrpc.
enum GoldenFrame: CaseIterable {
    case unaryRequest, streamingRequest, clientStreamingRequest
    case response, emptyResponse, failure
    case message, emptyMessage, lastMessage, end

    var bytes: [UInt8] {
        switch self {
        case .unaryRequest: [0, 0, 0, 11, 0, 0, 0, 1, 1, 0] + Self.request
        case .streamingRequest: [0, 0, 0, 11, 0, 0, 0, 3, 1, 1] + Self.request
        case .clientStreamingRequest: [0, 0, 0, 11, 0, 0, 0, 5, 1, 2] + Self.request
        case .response: [0, 0, 0, 4, 0, 0, 0, 1, 2, 0, 0x12, 2, 8, 9]
        case .emptyResponse: [0, 0, 0, 0, 0, 0, 0, 1, 2, 0]
        case .failure: [0, 0, 0, 7, 0, 0, 0, 1, 2, 0, 0x0A, 5, 0x08, 5, 0x12, 1, 0x6E]
        case .message: [0, 0, 0, 2, 0, 0, 0, 3, 3, 0, 8, 9]
        case .emptyMessage: [0, 0, 0, 0, 0, 0, 0, 3, 3, 0]
        case .lastMessage: [0, 0, 0, 2, 0, 0, 0, 3, 3, 1, 8, 9]
        case .end: [0, 0, 0, 0, 0, 0, 0, 3, 3, 5]
        }
    }

    var frame: Frame {
        switch self {
        case .unaryRequest: Frame(.request, 1, data: Self.request)
        case .streamingRequest: Frame(.request, 3, .remoteClosed, data: Self.request)
        case .clientStreamingRequest: Frame(.request, 5, .remoteOpen, data: Self.request)
        case .response: Frame(.response, 1, data: [0x12, 2, 8, 9])
        case .emptyResponse: Frame(.response, 1)
        case .failure: Frame(.response, 1, data: [0x0A, 5, 0x08, 5, 0x12, 1, 0x6E])
        case .message: Frame(.data, 3, data: [8, 9])
        case .emptyMessage: Frame(.data, 3)
        case .lastMessage: Frame(.data, 3, .remoteClosed, data: [8, 9])
        case .end: Frame(.data, 3, [.remoteClosed, .noData])
        }
    }

    /// `Request{service: "s", method: "m", payload: 08 09}` without a timeout.
    private static let request: [UInt8] = [0x0A, 1, 0x73, 0x12, 1, 0x6D, 0x1A, 3, 8, 9, 10]
}

@Suite("Frames, byte by byte")
struct FrameGoldenTests {
    @Test(arguments: GoldenFrame.allCases)
    func aFrameIsReadFromItsBytes(golden: GoldenFrame) {
        #expect(FrameReader.frames(in: ByteBuffer(bytes: golden.bytes)) == [golden.frame])
    }

    @Test(arguments: GoldenFrame.allCases)
    func aFrameIsWrittenAsItsBytes(golden: GoldenFrame) {
        var buffer = ByteBuffer()
        let frame = golden.frame
        let isWritten = buffer.writeFrame(
            frame.header.type,
            streamID: frame.header.streamID,
            flags: frame.header.flags,
            lengthMaximum: Frame.lengthMaximum
        ) { $0.writeImmutableBuffer(frame.data) }
        #expect(isWritten)
        #expect(Array(buffer: buffer) == golden.bytes)
    }

    @Test(arguments: GoldenFrame.allCases)
    func aTruncatedFrameIsNotAFrame(golden: GoldenFrame) {
        for count in 0..<golden.bytes.count {
            var reader = FrameReader(lengthMaximum: Frame.lengthDefault)
            reader.append(ByteBuffer(bytes: golden.bytes.prefix(count)))
            #expect(reader.next() == nil, "after \(count) bytes")
            #expect(reader.isInsideFrame == (count > 0), "after \(count) bytes")
        }
    }

    @Test(arguments: GoldenFrame.allCases)
    func aFrameReadInPiecesIsComplete(golden: GoldenFrame) {
        var reader = FrameReader(lengthMaximum: Frame.lengthDefault)
        for byte in golden.bytes.dropLast() {
            reader.append(ByteBuffer(bytes: [byte]))
            #expect(reader.next() == nil)
        }
        reader.append(ByteBuffer(bytes: golden.bytes.suffix(1)))
        #expect(reader.next() == .frame(golden.frame))
        #expect(!reader.isInsideFrame)
    }

    @Test(arguments: GoldenFrame.allCases)
    func aFlippedBitChangesTheFrame(golden: GoldenFrame) {
        for bit in 0..<golden.bytes.count * 8 {
            var bytes = golden.bytes
            bytes[bit / 8] ^= 1 << (bit % 8)
            var reader = FrameReader(lengthMaximum: Frame.lengthDefault)
            reader.append(ByteBuffer(bytes: bytes))
            #expect(reader.next() != .frame(golden.frame), "bit \(bit)")
        }
    }

    @Test(arguments: GoldenFrame.allCases)
    func aServerSurvivesEveryFlippedBit(golden: GoldenFrame) throws {
        var answered = 0
        for bit in 0..<golden.bytes.count * 8 {
            var bytes = golden.bytes
            bytes[bit / 8] ^= 1 << (bit % 8)
            let server = try ServerHarness()
            try server.send(ByteBuffer(bytes: bytes))
            let replies = try server.replies()
            #expect(replies.count <= 1, "bit \(bit)")
            #expect(replies.allSatisfy { $0.error != nil }, "bit \(bit)")
            answered += replies.count
        }
        #expect(answered > 0)
    }
}

@Suite("Frames longer than accepted")
struct FrameReaderTests {
    private let next = Frame(.data, 9, data: [1])

    @Test(arguments: [11, 12, 4096, UInt32(Frame.lengthMaximum)])
    func anOversizedFrameIsReportedOnceAndSkipped(length: UInt32) {
        var reader = FrameReader(lengthMaximum: 10)
        reader.append(header(length, 7))
        #expect(reader.next() == .oversized(FrameHeader(length: length, streamID: 7, type: .request)))
        var left = Int(length)
        while left > 0 {
            #expect(reader.next() == nil)
            #expect(reader.isInsideFrame)
            let piece = min(left, 100_000)
            reader.append(ByteBuffer(repeating: 0xFF, count: piece))
            left -= piece
        }
        #expect(reader.next() == nil)
        #expect(!reader.isInsideFrame)
        reader.append(next.wire)
        #expect(reader.next() == .frame(next))
    }

    @Test func bytesAfterAnOversizedFrameAreRead() {
        var reader = FrameReader(lengthMaximum: 10)
        var bytes = Frame(.data, 7, data: [UInt8](repeating: 0, count: 11)).wire
        bytes.writeImmutableBuffer(next.wire)
        reader.append(bytes)
        #expect(reader.next() == .oversized(FrameHeader(length: 11, streamID: 7, type: .data)))
        #expect(reader.next() == .frame(next))
        #expect(reader.next() == nil)
    }

    @Test func aFrameAsLongAsAcceptedIsRead() {
        var reader = FrameReader(lengthMaximum: 10)
        let frame = Frame(.data, 7, data: [UInt8](repeating: 1, count: 10))
        reader.append(frame.wire)
        #expect(reader.next() == .frame(frame))
    }

    @Test(arguments: [UInt32(Frame.lengthMaximum) + 1, 0x0100_0000, .max])
    func afterABrokenHeaderNothingIsRead(length: UInt32) {
        var reader = FrameReader(lengthMaximum: Frame.lengthMaximum)
        var bytes = header(length, 7)
        bytes.writeImmutableBuffer(next.wire)
        reader.append(bytes)
        #expect(reader.next() == .broken(FrameHeader(length: length, streamID: 7, type: .request)))
        #expect(reader.next() == nil)
        reader.append(next.wire)
        #expect(reader.next() == nil)
        #expect(!reader.isInsideFrame)
    }

    @Test func framesLongerThanTheProtocolAllowsAreNeverAccepted() {
        var reader = FrameReader(lengthMaximum: .max)
        reader.append(header(UInt32(Frame.lengthMaximum) + 1, 7))
        #expect(reader.next() == .broken(FrameHeader(length: 0x0040_0001, streamID: 7, type: .request)))
    }

    @Test func aFrameThatGrowsTooLongIsRemoved() {
        var buffer = ByteBuffer(bytes: [1])
        let isWritten = buffer.writeFrame(.data, streamID: 1, lengthMaximum: 3) { $0.writeBytes([1, 2, 3, 4]) }
        #expect(!isWritten)
        #expect(Array(buffer: buffer) == [1])
    }
}
