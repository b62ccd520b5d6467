import NIOCore

/// The streams of one connection, as its client sees them; a pure value.
///
/// A stream is, in this order:
/// - unopened: its id is above every id given out;
/// - awaiting (unary): its request is written and its response is not there;
/// - receiving (streaming): likewise, and messages may come before the end;
/// - finished: a final frame came, its deadline passed, or its caller left. Only the next id remembers it.
///
/// Wrong events are of three kinds:
/// - our bug: none; ids are given out here.
/// - the server's fault: data on a unary stream fails that call. Flags or types that are not defined fail the call too.
/// - harmless: frames of a finished stream, which crossed with our leaving it, or of a stream that never was; dropped.
struct ClientStreams {
    /// Whether a stream has one answer or many.
    enum Kind: Equatable {
        case unary
        case streaming
    }

    /// What became of a wish to open a stream.
    enum OnOpen: Equatable {
        case open(UInt32)
        case refuse(RPCError)
    }

    /// What to do with a frame.
    enum Verdict: Equatable {
        /// Decode the response and finish the call with it; the stream is forgotten.
        case respond
        /// Hand over the message.
        case deliver
        /// Hand over the message, and finish the call; the stream is forgotten.
        case deliverAndFinish
        /// Finish the call in order; the stream is forgotten.
        case finish
        /// Fail the call; the stream is forgotten.
        case fail(RPCError)
        /// Nothing.
        case drop
    }

    private struct Stream {
        let kind: Kind
        let deadline: NIODeadline
        /// How long the server may be silent.
        let silenceMaximum: TimeAmount?
        /// When it has been silent for that long.
        var silenceEnd = NIODeadline.distantFuture

        /// When the stream ends unless something comes.
        var end: NIODeadline {
            min(deadline, silenceEnd)
        }
    }

    private let streamsMaximum: Int
    private var nextID: UInt32?
    private var streams: [UInt32: Stream] = [:]

    /// Makes the streams of a new connection; `firstID` is odd.
    init(streamsMaximum: Int, firstID: UInt32 = 1) {
        self.streamsMaximum = streamsMaximum
        nextID = firstID
    }

    /// Whether the connection can open no more streams and has none: its ids are used up.
    var isExhausted: Bool {
        nextID == nil && streams.isEmpty
    }

    /// When the first stream ends unless something comes.
    var earliestDeadline: NIODeadline? {
        streams.values.lazy.map(\.end).min()
    }

    /// Gives out an id. `hear` begins to count the server's silence.
    mutating func open(_ kind: Kind, deadline: NIODeadline, silenceMaximum: TimeAmount? = nil) -> OnOpen {
        guard let id = nextID else {
            return .refuse(RPCError(code: .unavailable, message: "the connection is used up; connect again"))
        }
        guard streams.count < streamsMaximum else {
            return .refuse(RPCError(code: .resourceExhausted, message: "too many calls in flight on this connection"))
        }
        let (following, isOver) = id.addingReportingOverflow(2)
        nextID = isOver ? nil : following
        streams[id] = Stream(kind: kind, deadline: deadline, silenceMaximum: silenceMaximum)
        return .open(id)
    }

    /// Counts the silence of the stream's server from now on; says when it has lasted too long.
    mutating func hear(_ id: UInt32, now: NIODeadline) -> NIODeadline? {
        guard let silenceMaximum = streams[id]?.silenceMaximum else { return nil }
        let end = now + silenceMaximum
        streams[id]?.silenceEnd = end
        return end
    }

    /// Judges a whole frame by its header.
    mutating func receive(_ header: FrameHeader) -> Verdict {
        let id = header.streamID
        guard let stream = streams[id] else { return .drop }
        switch (header.type, stream.kind) {
        case (.response, _):
            streams[id] = nil
            return .respond
        case (.data, .streaming):
            return receiveData(header)
        case (.data, .unary):
            return fail(id, "the server sent data for a unary call")
        default:
            return fail(id, "the server sent a frame that no client takes")
        }
    }

    /// Judges a frame that was too long to be accepted.
    mutating func receiveOversized(_ header: FrameHeader) -> Verdict {
        guard streams.removeValue(forKey: header.streamID) != nil else { return .drop }
        return .fail(RPCError(code: .resourceExhausted, message: "the answer is longer than this client accepts"))
    }

    /// Forgets a stream whose caller has left.
    mutating func abandon(_ id: UInt32) {
        streams[id] = nil
    }

    /// Forgets the streams whose deadline has passed or whose server was silent too long, and names them.
    mutating func expire(now: NIODeadline) -> [UInt32] {
        let ids = streams.filter { $0.value.end <= now }.keys.sorted()
        ids.forEach { streams[$0] = nil }
        return ids
    }

    private mutating func receiveData(_ header: FrameHeader) -> Verdict {
        guard header.flags.isSubset(of: [.remoteClosed, .noData]) else {
            return fail(header.streamID, "the data frame's flags are not known")
        }
        let hasMessage = !header.flags.contains(.noData)
        guard header.flags.contains(.remoteClosed) else { return hasMessage ? .deliver : .drop }
        streams[header.streamID] = nil
        return hasMessage ? .deliverAndFinish : .finish
    }

    private mutating func fail(_ id: UInt32, _ message: String) -> Verdict {
        streams[id] = nil
        return .fail(RPCError(code: .internalError, message: message))
    }
}
