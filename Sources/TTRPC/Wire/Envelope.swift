/// What opens a stream: the message `Request` of ttrpc.
package struct RequestEnvelope: Equatable, Sendable {
    package var service: String
    package var method: String
    package var payload: [UInt8]
    /// Nanoseconds until the caller stops waiting; 0 means that it named no end.
    package var timeout: Int64 = 0
    package var metadata = Metadata()
}

/// What ends a stream: the message `Response` of ttrpc, as a result.
package typealias ResponseEnvelope = Result<[UInt8], RPCError>

extension ResponseEnvelope {
    /// What the response's frame takes on the wire, but for the few bytes of its fields' tags.
    var sizeEstimate: Int {
        switch self {
        case .success(let payload): FrameHeader.size + payload.count
        case .failure(let error): FrameHeader.size + error.message.utf8.count
        }
    }
}
