import NIOCore

/// The client's state machine for the streams of one connection: a pure value.
///
/// A stream passes through these states:
/// - unopened: its id is higher than every id assigned so far;
/// - awaiting (unary): its request is written and its response has not arrived;
/// - receiving (streaming): its request is written, and messages may arrive before the end;
/// - finished: its final frame arrived, its deadline passed, or its caller cancelled it. The stream is removed; its id
///   is never reused.
///
/// There are three kinds of invalid event:
/// - our bug: none, because this type assigns the ids.
/// - the server's fault: data on a unary stream, or an undefined flag or type, fails that call.
/// - harmless: frames of a stream that has finished (they crossed with the cancellation) or was never opened are
///   dropped.
struct ClientStreams {
    /// Whether a stream has one answer or many.
    enum Kind: Equatable {
        case unary
        case streaming
    }

    /// The result of opening a stream.
    enum OnOpen: Equatable {
        case open(UInt32)
        case refuse(RPCError)
    }

    /// The action that a frame requires.
    enum Verdict: Equatable {
        /// Decode the response and finish the call with it; the stream is removed.
        case respond
        /// Deliver the message.
        case deliver
        /// Deliver the message and finish the call; the stream is removed.
        case deliverAndFinish
        /// Finish the call successfully; the stream is removed.
        case finish
        /// Fail the call; the stream is removed.
        case fail(RPCError)
        /// Nothing.
        case drop
    }

    private struct Stream {
        let kind: Kind
        let deadline: NIODeadline
        /// The longest allowed pause between messages.
        let silenceMaximum: TimeAmount?
        /// When the pause becomes too long.
        var silenceEnd = NIODeadline.distantFuture

        /// When the stream times out unless a message arrives.
        var end: NIODeadline {
            min(deadline, silenceEnd)
        }
    }

    private let streamsMaximum: Int
    private var nextID: UInt32?
    private var streams: [UInt32: Stream] = [:]

    /// Creates the state machine for a new connection; `firstID` is odd.
    init(streamsMaximum: Int, firstID: UInt32 = 1) {
        self.streamsMaximum = streamsMaximum
        nextID = firstID
    }

    /// Whether all stream ids are used and no stream is open.
    var isExhausted: Bool {
        nextID == nil && streams.isEmpty
    }

    /// When the next stream times out unless a message arrives.
    var earliestDeadline: NIODeadline? {
        streams.values.lazy.map(\.end).min()
    }

    /// Assigns a stream id. The silence timeout starts with the first `noteActivity`.
    mutating func open(_ kind: Kind, deadline: NIODeadline, silenceMaximum: TimeAmount? = nil) -> OnOpen {
        guard let id = nextID else {
            return .refuse(
                RPCError(code: .unavailable, message: "all stream ids of the connection are used; connect again")
            )
        }
        guard streams.count < streamsMaximum else {
            return .refuse(RPCError(code: .resourceExhausted, message: "too many calls in flight on this connection"))
        }
        let (following, isOver) = id.addingReportingOverflow(2)
        nextID = isOver ? nil : following
        streams[id] = Stream(kind: kind, deadline: deadline, silenceMaximum: silenceMaximum)
        return .open(id)
    }

    /// Restarts the stream's silence timeout and returns when it expires.
    mutating func noteActivity(_ id: UInt32, now: NIODeadline) -> NIODeadline? {
        guard let silenceMaximum = streams[id]?.silenceMaximum else { return nil }
        let end = now + silenceMaximum
        streams[id]?.silenceEnd = end
        return end
    }

    /// Classifies a complete frame by its header.
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
            return fail(id, "the server sent a frame of a type that clients do not accept")
        }
    }

    /// Classifies a frame that exceeds the length limit.
    mutating func receiveOversized(_ header: FrameHeader) -> Verdict {
        guard streams.removeValue(forKey: header.streamID) != nil else { return .drop }
        return .fail(RPCError(code: .resourceExhausted, message: "the answer is longer than this client accepts"))
    }

    /// Removes a stream whose call was cancelled.
    mutating func abandon(_ id: UInt32) {
        streams[id] = nil
    }

    /// Removes the streams that have timed out and returns their ids.
    mutating func expire(now: NIODeadline) -> [UInt32] {
        let ids = streams.filter { $0.value.end <= now }.keys.sorted()
        ids.forEach { streams[$0] = nil }
        return ids
    }

    private mutating func receiveData(_ header: FrameHeader) -> Verdict {
        guard header.flags.isSubset(of: [.remoteClosed, .noData]) else {
            return fail(header.streamID, "the data frame has unknown flags")
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
