import NIOCore

extension ServerConnectionHandler {
    /// Answers what a peer sent.
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
        var isAccepted = false
        switch verdict {
        case .decode:
            do throws(RPCError) {
                try accept(frame)
                isAccepted = true
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
        // The bytes of a request are given back once its handler has returned.
        if !isAccepted, frame.data.readableBytes > 0 {
            registry.releaseFrame(connection: peer.connectionID, bytes: frame.data.readableBytes)
        }
    }

    /// Opens the stream of a request, if there is a handler and room for it.
    private func accept(_ frame: Frame) throws(RPCError) {
        guard !isStopping else { throw Self.shuttingDown }
        let now = now
        try registry.countRequest(connection: peer.connectionID, now: now)
        let request = try RequestEnvelope(wire: frame.data)
        try request.metadata.checkLimits()
        let handler = try methods.handler(of: request, flags: frame.header.flags)
        let kind: ServerStreams.Kind = if case .unary = handler { .unary } else { .streaming }
        let deadline = try limits.deadline(timeout: request.timeout, kind: kind, now: now)
        try registry.openStream(connection: peer.connectionID)

        let id = frame.header.streamID
        streams.open(id, kind: kind, deadline: deadline, callID: request.metadata[Metadata.callIDKey])
        frameBytes[id] = frame.data.readableBytes
        setTimer(deadline)
        batch.append(
            AcceptedCall(
                streamID: id,
                work: work(of: handler, streamID: id),
                call: ServerCall(peer: peer, request: request, deadline: deadline, mailbox: mailbox),
                payload: request.payload,
                gate: gate
            )
        )
    }

    private func work(of handler: MethodTable.Handler, streamID: UInt32) -> AcceptedCall.Work {
        switch handler {
        case .unary(let body):
            return .unary(body)
        case .serverStreaming(let body):
            let (end, continuation) = AsyncStream.makeStream(of: Never.self, bufferingPolicy: .bufferingOldest(0))
            streamEnds[streamID] = continuation
            gate.open(streamID)
            let writer = ServerStreamWriter(
                streamID: streamID,
                lengthMaximum: limits.sentFrameLength,
                gate: gate,
                mailbox: mailbox
            )
            return .streaming(body, writer, end: end)
        }
    }
}

extension Frame {
    /// A frame whose data was not kept.
    fileprivate init(header: FrameHeader) {
        self.init(header: header, data: ByteBuffer())
    }
}
