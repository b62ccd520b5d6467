import NIOCore

/// The server's state machine for the streams of one connection: a pure value.
///
/// A stream passes through these states:
/// - unopened: its id is higher than every id seen;
/// - open: its handler is running and its final frame has not been sent;
/// - ended: its final frame was sent (deadline, cancellation, fault), but its handler has not returned;
/// - finished: its handler has returned and the stream is removed.
///
/// Every stream gets exactly one final frame. The client's side of every stream is closed by the request, because this
/// server takes no client streams.
///
/// There are three kinds of invalid event:
/// - our bug: finishing a stream that was never opened; ignored.
/// - the peer's fault: an even id, an id that does not increase, an undefined type or flag, or data for a stream that
///   accepts none. The server answers with a status, which ends the stream if it is open; after `faultsMaximum` faults
///   it closes the connection.
/// - harmless: data for a finished or ended stream, which may have crossed with the final frame; dropped.
struct ServerStreams {
    /// Whether a stream has one answer or many.
    enum Kind: Equatable {
        case unary
        case streaming
    }

    /// The action that a frame requires.
    enum Verdict: Equatable {
        /// Decode the request, then `open` its stream or answer with an error.
        case decode
        /// Nothing.
        case drop
        /// Send a status on the frame's stream, which is not open.
        case answer(RPCError, thenClose: Bool)
        /// End the frame's stream, which was open, with a status.
        case end(Kind, RPCError, thenClose: Bool)
        /// Close the connection; the final frame of the frame's stream was already sent.
        case close
    }

    /// A stream that ended early, because its deadline passed or it was cancelled.
    struct Ended: Equatable {
        let id: UInt32
        let kind: Kind
    }

    private struct Stream {
        let kind: Kind
        let deadline: NIODeadline
        let callID: String?
        var isEnded = false
    }

    private let streamsMaximum: Int
    private let faultsMaximum: Int
    private var lastID: UInt32 = 0
    private var faults = 0
    private var streams: [UInt32: Stream] = [:]
    private var openCount = 0

    /// Creates the state machine for a new connection.
    init(streamsMaximum: Int, faultsMaximum: Int) {
        self.streamsMaximum = streamsMaximum
        self.faultsMaximum = faultsMaximum
    }

    /// Whether no stream is open.
    var isIdle: Bool {
        openCount == 0
    }

    /// The earliest deadline of an open stream.
    var earliestDeadline: NIODeadline? {
        streams.values.lazy.filter { !$0.isEnded }.map(\.deadline).min()
    }

    /// Classifies a complete frame by its header.
    mutating func receive(_ header: FrameHeader) -> Verdict {
        guard header.streamID % 2 == 1 else {
            return fault(header.streamID, "a client's stream ids are odd")
        }
        switch header.type {
        case .request: return receiveRequest(header)
        case .data: return receiveData(header)
        case .response: return fault(header.streamID, "a client sends no responses")
        default: return fault(header.streamID, "unknown frame type")
        }
    }

    /// Classifies a frame that exceeds the length limit.
    mutating func receiveOversized(_ header: FrameHeader) -> Verdict {
        receiveSkipped(header, "the frame is longer than this server accepts")
    }

    /// Classifies a frame that exceeds a quota.
    mutating func receiveRefused(_ header: FrameHeader) -> Verdict {
        receiveSkipped(header, "too many bytes of requests are in flight")
    }

    private mutating func receiveSkipped(_ header: FrameHeader, _ message: String) -> Verdict {
        let error = RPCError(code: .resourceExhausted, message: message)
        if header.type == .request, header.streamID > lastID { lastID = header.streamID }
        return conclude(header.streamID, error, thenClose: false)
    }

    /// Classifies a frame whose header is invalid.
    mutating func receiveBroken(_ header: FrameHeader) -> Verdict {
        let error = RPCError(code: .resourceExhausted, message: "the frame is longer than the protocol allows")
        return conclude(header.streamID, error, thenClose: true)
    }

    /// Opens the stream of a request that `receive` accepted.
    mutating func open(_ id: UInt32, kind: Kind, deadline: NIODeadline, callID: String?) {
        streams[id] = Stream(kind: kind, deadline: deadline, callID: callID)
        openCount += 1
    }

    /// Ends a stream early. Returns `nil` if its final frame was already sent.
    mutating func end(_ id: UInt32) -> Kind? {
        guard let stream = streams[id], !stream.isEnded else { return nil }
        streams[id]?.isEnded = true
        openCount -= 1
        return stream.kind
    }

    /// Ends the open streams with this call id, except the stream of the asking call.
    mutating func end(callID: String, otherThan asking: UInt32? = nil) -> [Ended] {
        guard !callID.isEmpty else { return [] }
        return endAll { id, stream in id != asking && stream.callID == callID }
    }

    /// Ends the open streams that `isIncluded` picks by kind and deadline.
    mutating func end(where isIncluded: (Kind, NIODeadline) -> Bool) -> [Ended] {
        endAll { _, stream in isIncluded(stream.kind, stream.deadline) }
    }

    private mutating func endAll(where isIncluded: (UInt32, Stream) -> Bool) -> [Ended] {
        let ids = streams.filter { !$0.value.isEnded && isIncluded($0.key, $0.value) }.keys.sorted()
        return ids.compactMap { id in end(id).map { Ended(id: id, kind: $0) } }
    }

    /// Whether a handler may still send messages on the stream.
    func mayWrite(_ id: UInt32) -> Bool {
        streams[id]?.isEnded == false
    }

    /// Removes a stream whose handler has returned. Returns whether its final frame must still be sent.
    mutating func finish(_ id: UInt32) -> Bool {
        guard let stream = streams.removeValue(forKey: id) else { return false }
        if !stream.isEnded { openCount -= 1 }
        return !stream.isEnded
    }

    private mutating func receiveRequest(_ header: FrameHeader) -> Verdict {
        guard header.streamID > lastID else {
            return fault(header.streamID, "a stream id must be higher than all previous ones")
        }
        lastID = header.streamID
        let flags = header.flags
        guard flags.isSubset(of: [.remoteClosed, .remoteOpen]), flags != [.remoteClosed, .remoteOpen] else {
            return fault(header.streamID, "the request has unknown flags")
        }
        guard streams.count < streamsMaximum else {
            let error = RPCError(code: .resourceExhausted, message: "too many calls in flight on this connection")
            return .answer(error, thenClose: false)
        }
        return .decode
    }

    private mutating func receiveData(_ header: FrameHeader) -> Verdict {
        guard header.flags.isSubset(of: [.remoteClosed, .noData]) else {
            return fault(header.streamID, "the data frame has unknown flags")
        }
        guard header.streamID <= lastID else {
            return fault(header.streamID, "data arrived before the stream's request")
        }
        guard mayWrite(header.streamID) else { return .drop }
        return fault(header.streamID, "the stream does not accept data")
    }

    private mutating func fault(_ id: UInt32, _ message: String) -> Verdict {
        faults += 1
        let error = RPCError(code: .invalidArgument, message: message)
        return conclude(id, error, thenClose: faults >= faultsMaximum)
    }

    private mutating func conclude(_ id: UInt32, _ error: RPCError, thenClose: Bool) -> Verdict {
        if let kind = end(id) { return .end(kind, error, thenClose: thenClose) }
        if streams[id] == nil { return .answer(error, thenClose: thenClose) }
        return thenClose ? .close : .drop
    }
}
