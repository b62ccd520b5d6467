/// What opens a stream: the message `Request` of ttrpc.
struct RequestEnvelope: Equatable, Sendable {
    var service: String
    var method: String
    var payload: [UInt8]
    /// Nanoseconds until the caller stops waiting; 0 means that it named no end.
    var timeout: Int64 = 0
    var metadata = Metadata()
}

/// What ends a stream: the message `Response` of ttrpc, as a result.
typealias ResponseEnvelope = Result<[UInt8], RPCError>
