import NIOCore

@testable import TTRPC

extension FuzzTarget {
    /// Bytes of a connection, in pieces, and of the envelopes in its frames. The first byte sets the length of the
    /// pieces.
    static let frames = FuzzTarget("frames") { input in
        guard let pace = input.first else { return }
        var bytes = ByteBuffer(bytes: input.dropFirst())
        var reader = FrameReader(lengthMaximum: lengthMaximum)
        while bytes.readableBytes > 0 {
            guard let piece = bytes.readSlice(length: min(Int(pace) + 1, bytes.readableBytes)) else { return }
            reader.append(piece)
            while let event = reader.next() { check(event) }
        }
    }

    private static let lengthMaximum = 4096

    private static func check(_ event: FrameReader.Event) {
        guard case .frame(let frame) = event else { return }
        promise(Int(frame.header.length) == frame.data.readableBytes, "a frame is as long as its header says")
        promise(frame.data.readableBytes <= lengthMaximum, "every delivered frame is within the limit")
        var written = ByteBuffer()
        _ = written.writeFrame(
            frame.header.type,
            streamID: frame.header.streamID,
            flags: frame.header.flags,
            lengthMaximum: lengthMaximum
        ) { $0.writeImmutableBuffer(frame.data) }
        var again = FrameReader(lengthMaximum: lengthMaximum)
        again.append(written)
        promise(again.next() == event, "a frame round-trips")
        if let request = try? RequestEnvelope(wire: frame.data) { check(request) }
        if let response = try? ResponseEnvelope(wire: frame.data) { check(response) }
    }

    private static func check(_ request: RequestEnvelope) {
        var written = ByteBuffer()
        request.write(to: &written)
        promise((try? RequestEnvelope(wire: written)) == request, "a request round-trips")
        if (try? request.metadata.checkLimits()) != nil {
            promise(
                request.metadata.pairs.count <= Metadata.pairsMaximum,
                "every accepted request has an allowed number of pairs"
            )
        }
    }

    private static func check(_ response: ResponseEnvelope) {
        var written = ByteBuffer()
        response.write(to: &written)
        switch (response, try? ResponseEnvelope(wire: written)) {
        case (.success(let payload), .success(let same)):
            promise(payload == same, "an answer round-trips")
        case (.failure(let error), .failure(let same)):
            promise(error.code == same.code && error.message == same.message, "an error round-trips")
        default:
            promise(false, "an answer round-trips as the same kind")
        }
    }
}
