import NIOCore

/// The streams of one connection, as its server sees them; a pure value.
///
/// A stream is, in this order:
/// - unopened: its id is above every id seen;
/// - open: its handler runs and its final frame is not sent;
/// - ended: its final frame is sent (deadline, cancel, fault), but its handler has not returned;
/// - finished: its handler has returned; only the highest id seen remembers it.
///
/// Every stream gets exactly one final frame. The client's side of every stream is closed by the request, because this
/// server takes no client streams.
///
/// Wrong events are of three kinds:
/// - our bug: finishing a stream that was never opened; answered by doing nothing.
/// - the peer's fault: an even id, an id that does not rise, a type or flag that is not defined, data for a stream that
///   takes none. Answered with a status, which ends the stream if it is open; after `faultsMaximum` the connection closes.
/// - harmless: data for a finished or ended stream. It may have crossed with our final frame; dropped.
struct ServerStreams {
    /// Whether a stream has one answer or many.
    enum Kind: Equatable {
        case unary
        case streaming
    }

    /// What to do with a frame.
    enum Verdict: Equatable {
        /// Decode the request, then `open` its stream or answer why not.
        case decode
        /// Nothing.
        case drop
        /// Send a status on the frame's stream, under which nothing is open.
        case answer(RPCError, thenClose: Bool)
        /// End the frame's stream, which was open, with a status.
        case end(Kind, RPCError, thenClose: Bool)
        /// Close the connection; the frame's stream has its final frame.
        case close
    }

    /// What has become of a stream whose deadline passed or that was cancelled.
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

    /// Makes the streams of a new connection.
    init(streamsMaximum: Int, faultsMaximum: Int) {
        self.streamsMaximum = streamsMaximum
        self.faultsMaximum = faultsMaximum
    }

    /// Whether no stream waits for its final frame.
    var isIdle: Bool {
        openCount == 0
    }

    /// The earliest deadline of an open stream.
    var earliestDeadline: NIODeadline? {
        streams.values.lazy.filter { !$0.isEnded }.map(\.deadline).min()
    }

    /// Judges a whole frame by its header.
    mutating func receive(_ header: FrameHeader) -> Verdict {
        guard header.streamID % 2 == 1 else {
            return fault(header.streamID, "a client's stream ids are odd")
        }
        switch header.type {
        case .request: return receiveRequest(header)
        case .data: return receiveData(header)
        case .response: return fault(header.streamID, "a client sends no responses")
        default: return fault(header.streamID, "the frame's type is not known")
        }
    }

    /// Judges a frame that was too long to be accepted.
    mutating func receiveOversized(_ header: FrameHeader) -> Verdict {
        receiveSkipped(header, "the frame is longer than this server accepts")
    }

    /// Judges a frame for which there was no room.
    mutating func receiveRefused(_ header: FrameHeader) -> Verdict {
        receiveSkipped(header, "too many bytes of requests are in flight")
    }

    private mutating func receiveSkipped(_ header: FrameHeader, _ message: String) -> Verdict {
        let error = RPCError(code: .resourceExhausted, message: message)
        if header.type == .request, header.streamID > lastID { lastID = header.streamID }
        return conclude(header.streamID, error, thenClose: false)
    }

    /// Judges a frame whose header cannot be believed.
    mutating func receiveBroken(_ header: FrameHeader) -> Verdict {
        let error = RPCError(code: .resourceExhausted, message: "the frame is longer than the protocol allows")
        return conclude(header.streamID, error, thenClose: true)
    }

    /// Opens the stream of a request that `receive` let through.
    mutating func open(_ id: UInt32, kind: Kind, deadline: NIODeadline, callID: String?) {
        streams[id] = Stream(kind: kind, deadline: deadline, callID: callID)
        openCount += 1
    }

    /// Ends a stream early; nothing when it has its final frame already.
    mutating func end(_ id: UInt32) -> Kind? {
        guard let stream = streams[id], !stream.isEnded else { return nil }
        streams[id]?.isEnded = true
        openCount -= 1
        return stream.kind
    }

    /// Ends the open streams to which their client gave this name, other than the stream of the call that asks for it.
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

    /// Whether a message of a handler is to be sent.
    func mayWrite(_ id: UInt32) -> Bool {
        streams[id]?.isEnded == false
    }

    /// Forgets a stream whose handler has returned; says whether its final frame is still to be sent.
    mutating func finish(_ id: UInt32) -> Bool {
        guard let stream = streams.removeValue(forKey: id) else { return false }
        if !stream.isEnded { openCount -= 1 }
        return !stream.isEnded
    }

    private mutating func receiveRequest(_ header: FrameHeader) -> Verdict {
        guard header.streamID > lastID else {
            return fault(header.streamID, "a stream id must be higher than all before")
        }
        lastID = header.streamID
        let flags = header.flags
        guard flags.isSubset(of: [.remoteClosed, .remoteOpen]), flags != [.remoteClosed, .remoteOpen] else {
            return fault(header.streamID, "the request's flags are not known")
        }
        guard streams.count < streamsMaximum else {
            let error = RPCError(code: .resourceExhausted, message: "too many calls in flight on this connection")
            return .answer(error, thenClose: false)
        }
        return .decode
    }

    private mutating func receiveData(_ header: FrameHeader) -> Verdict {
        guard header.flags.isSubset(of: [.remoteClosed, .noData]) else {
            return fault(header.streamID, "the data frame's flags are not known")
        }
        guard header.streamID <= lastID else {
            return fault(header.streamID, "data came before its stream's request")
        }
        guard mayWrite(header.streamID) else { return .drop }
        return fault(header.streamID, "the stream takes no data")
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
