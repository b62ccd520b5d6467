import NIOCore

@testable import TTRPC

extension Frame {
    init(_ type: FrameType, _ streamID: UInt32, _ flags: FrameFlags = [], data: [UInt8] = []) {
        let header = FrameHeader(length: UInt32(data.count), streamID: streamID, type: type, flags: flags)
        self.init(header: header, data: ByteBuffer(bytes: data))
    }

    /// A request, by default for a method of `MethodTable.testing`.
    static func request(
        _ streamID: UInt32,
        _ method: String = "Echo",
        service: String = "test.Echo",
        flags: FrameFlags = [],
        payload: [UInt8] = [],
        timeout: Int64 = 0,
        metadata: Metadata = [:]
    ) -> Frame {
        let envelope = RequestEnvelope(
            service: service,
            method: method,
            payload: payload,
            timeout: timeout,
            metadata: metadata
        )
        var data = ByteBuffer()
        envelope.write(to: &data)
        return Frame(.request, streamID, flags, data: Array(buffer: data))
    }

    /// The frame as it goes over the wire.
    var wire: ByteBuffer {
        var buffer = ByteBuffer()
        buffer.writeFrameHeader(header)
        buffer.writeImmutableBuffer(data)
        return buffer
    }

    /// The error that a response carries; `nil` for success and for other frames.
    var error: RPCError? {
        guard header.type == .response, case .failure(let error) = try? ResponseEnvelope(wire: data) else { return nil }
        return error
    }
}

extension FrameReader {
    /// All events in `bytes`, for a reader that accepts everything that the protocol allows.
    static func frames(in bytes: ByteBuffer) -> [Frame] {
        var reader = FrameReader(lengthMaximum: Frame.lengthMaximum)
        reader.append(bytes)
        var frames: [Frame] = []
        while case .frame(let frame) = reader.next() { frames.append(frame) }
        return frames
    }
}

/// A header whose length may differ from that of its data.
func header(_ length: UInt32, _ streamID: UInt32, _ type: FrameType = .request) -> ByteBuffer {
    var buffer = ByteBuffer()
    buffer.writeFrameHeader(FrameHeader(length: length, streamID: streamID, type: type))
    return buffer
}
