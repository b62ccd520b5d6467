/// The message that opens a stream: ttrpc's `Request`.
package struct RequestEnvelope: Equatable, Sendable {
    package var service: String
    package var method: String
    package var payload: [UInt8]
    /// The call's timeout in nanoseconds; 0 means no timeout.
    package var timeout: Int64 = 0
    package var metadata = Metadata()
}

/// The message that ends a stream: ttrpc's `Response`, as a result.
package typealias ResponseEnvelope = Result<[UInt8], RPCError>

extension ResponseEnvelope {
    /// The size of the response's frame on the wire, without the few bytes of its field tags.
    var sizeEstimate: Int {
        switch self {
        case .success(let payload): FrameHeader.size + payload.count
        case .failure(let error): FrameHeader.size + error.message.utf8.count
        }
    }
}
