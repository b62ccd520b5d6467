import NIOCore
import Testing

@testable import TTRPC

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
