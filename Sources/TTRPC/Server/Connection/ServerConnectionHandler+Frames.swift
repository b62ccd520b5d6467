import NIOCore

extension ServerConnectionHandler {
    /// Handles an event from the peer.
    func receive(_ event: FrameReader.Event) {
        switch event {
        case .frame(let frame): follow(streams.receive(frame.header), of: frame)
        case .refused(let header): follow(streams.receiveRefused(header), of: Frame(header: header))
        case .oversized(let header): follow(streams.receiveOversized(header), of: Frame(header: header))
        case .broken(let header): follow(streams.receiveBroken(header), of: Frame(header: header))
        }
    }

    private func follow(_ verdict: ServerStreams.Verdict, of frame: Frame) {
        let id = frame.header.streamID
        var isHeld = false
        switch verdict {
        case .decode:
            do throws(RPCError) {
                isHeld = try accept(frame)
            } catch {
                writeFinal(id, .failure(error))
            }
        case .drop:
            break
        case .answer(let error, let thenClose):
            writeFinal(id, .failure(error))
            if thenClose { beginClosing() }
        case .end(let kind, let error, let thenClose):
            finishEarly(ServerStreams.Ended(id: id, kind: kind), error)
            if thenClose { beginClosing() }
        case .close:
            beginClosing()
        }
        // The bytes of a request are released once its handler has returned.
        if !isHeld, frame.data.readableBytes > 0 {
            registry.releaseFrame(connection: peer.connectionID, bytes: frame.data.readableBytes)
        }
    }

    /// Starts the handler of a request, if there is one and a limit does not forbid it. Returns whether the handler is
    /// still running.
    private func accept(_ frame: Frame) throws(RPCError) -> Bool {
        guard !isStopping else { throw Self.shuttingDown }
        let now = now
        try registry.countRequest(connection: peer.connectionID, now: now)
        let request = try RequestEnvelope(wire: frame.data)
        try request.metadata.checkLimits()
        let id = frame.header.streamID
        switch try methods.handler(of: request, flags: frame.header.flags) {
        case .immediate(let body):
            _ = try limits.deadline(timeout: request.timeout, kind: .unary, now: now)
            writeFinal(id, .success(try body(request.payload)))
            return false
        case .deferred(let body):
            _ = try open(frame, request, .unary, now)
            unanswered.add()
            body(request.payload, ServerReply(streamID: id, mailbox: mailbox, unanswered: unanswered))
        case .unary(let body):
            let deadline = try open(frame, request, .unary, now)
            schedule(.unary(body), id, request, deadline)
        case .serverStreaming(let body):
            let deadline = try open(frame, request, .streaming, now)
            schedule(streaming(body, id), id, request, deadline)
        }
        return true
    }

    /// Opens the stream of a request, and returns its deadline.
    private func open(
        _ frame: Frame,
        _ request: RequestEnvelope,
        _ kind: ServerStreams.Kind,
        _ now: NIODeadline
    ) throws(RPCError) -> NIODeadline {
        let deadline = try limits.deadline(timeout: request.timeout, kind: kind, now: now)
        try registry.openStream(connection: peer.connectionID)
        let id = frame.header.streamID
        streams.open(id, kind: kind, deadline: deadline, callID: request.metadata[Metadata.callIDKey])
        frameBytes[id] = frame.data.readableBytes
        setTimer(deadline)
        return deadline
    }

    /// Passes the call of an open stream to the connection's task at the end of this turn.
    private func schedule(
        _ work: AcceptedCall.Work,
        _ id: UInt32,
        _ request: RequestEnvelope,
        _ deadline: NIODeadline
    ) {
        let call = ServerCall(peer: peer, streamID: id, request: request, deadline: deadline, mailbox: mailbox)
        batch.append(AcceptedCall(work: work, call: call, payload: request.payload))
    }

    private func streaming(_ body: @escaping MethodTable.ServerStreaming, _ id: UInt32) -> AcceptedCall.Work {
        let (end, continuation) = AsyncStream.makeStream(of: Never.self, bufferingPolicy: .bufferingOldest(0))
        streamEnds[id] = continuation
        budget.open(id)
        let writer = ServerStreamWriter(
            streamID: id,
            lengthMaximum: limits.sentFrameLength,
            budget: budget,
            mailbox: mailbox
        )
        return .streaming(body, writer, end: end)
    }
}

extension Frame {
    /// Creates a frame whose data was discarded.
    fileprivate init(header: FrameHeader) {
        self.init(header: header, data: ByteBuffer())
    }
}
