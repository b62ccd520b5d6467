import NIOCore

extension ServerConnectionHandler {
    static let shuttingDown = RPCError(code: .unavailable, message: "the server is shutting down")

    /// Handles the items that handlers and the server sent.
    func receive(_ items: [ServerItem]) {
        for item in items {
            switch item {
            case .answer(let id, let envelope): answer(id, envelope)
            case .reply(let id, let make): answer(id, ResponseEnvelope(catching: make))
            case .waitingAnswer(let id, let envelope): answer(id, envelope, hasWaited: true)
            case .message(let id, let message): write(message, to: id)
            case .streamEnd(let id, let error): endStream(id, error)
            case .cancel(let callID, let asking, let continuation):
                continuation.resume(returning: cancel(callID, askedBy: asking))
            case .end(let id, let error): endEarly(id, error)
            case .shutDown(let grace): shutDown(grace: grace)
            case .close: context?.close(promise: nil)
            }
        }
        if isStopping, streams.isIdle { beginClosing() }
        finishTurn()
    }

    /// Acts on every deadline that has passed.
    func checkTimers() {
        let now = now
        let expired = streams.end { _, deadline in deadline <= now }
        let error = RPCError(code: .deadlineExceeded, message: "the call's deadline has passed")
        expired.forEach { finishEarly($0, error) }
        if isDue(timers.outboundStall, now) { endStall(now) }
        if isDue(timers.closing, now) { giveUp() }
        if isDue(timers.firstFrame, now) || isDue(timers.frameCompletion, now) { context?.close(promise: nil) }
    }

    /// Ends a stream before its handler has returned.
    func finishEarly(_ ended: ServerStreams.Ended, _ error: RPCError) {
        if ended.kind == .streaming {
            budget.end(ended.id, error)
            streamEnds.removeValue(forKey: ended.id)?.finish()
        }
        writeFinal(ended.id, .failure(error))
    }

    /// Writes a stream's final frame. If it is too long, writes INTERNAL instead: the request may already have taken
    /// effect.
    func writeFinal(_ id: UInt32, _ envelope: ResponseEnvelope) {
        // The buffer grows once for the whole frame.
        outgoing.reserveCapacity(minimumWritableBytes: envelope.sizeEstimate)
        if write(.response, to: id, body: { envelope.write(to: &$0) }) { return }
        let error = RPCError(code: .internalError, message: "the answer is longer than the frame limit")
        _ = write(.response, to: id) { ResponseEnvelope.failure(error).write(to: &$0) }
    }

    /// Stops reading, writes the remaining bytes, and closes.
    func beginClosing() {
        guard !isClosing else { return }
        isClosing = true
        timers = ConnectionTimers(closing: now + limits.closeLinger)
        setTimer(timers.closing)
    }

    /// Writes an answer once it fits the budget; until then the call keeps its stream.
    ///
    /// If too many answers wait, this one is dropped. Its handler has still run, so the caller must not assume that
    /// nothing happened.
    private func answer(_ id: UInt32, _ envelope: ResponseEnvelope, hasWaited: Bool = false) {
        let admission = budget.admit(answer: envelope.sizeEstimate, hasWaited: hasWaited) { [mailbox] in
            // A closed mailbox needs no answer.
            { _ = mailbox.post(.waitingAnswer(id, envelope)) }
        }
        switch admission {
        case .counted: finish(id, envelope)
        case .waiting: break
        case .refused:
            let refusal = ResponseEnvelope.failure(Self.dropped)
            budget.add(refusal.sizeEstimate)
            finish(id, refusal)
        }
    }

    private static let dropped = RPCError(
        code: .unavailable,
        message: "too many answers are unread, so this one was dropped; retry the same request with the same identity"
    )

    /// Writes an answer whose `sizeEstimate` is already counted in the budget, unless its stream has ended.
    private func finish(_ id: UInt32, _ envelope: ResponseEnvelope) {
        closeStream(id)
        guard streams.finish(id) else { return budget.remove(envelope.sizeEstimate) }
        outgoingCounted += envelope.sizeEstimate
        writeFinal(id, envelope)
    }

    /// Releases the resources of a call whose handler has returned.
    private func closeStream(_ id: UInt32) {
        registry.closeStream(connection: peer.connectionID, frameBytes: frameBytes.removeValue(forKey: id) ?? 0)
    }

    /// Writes a message whose bytes are already counted in the budget.
    private func write(_ message: [UInt8], to id: UInt32) {
        let size = FrameHeader.size + message.count
        guard streams.mayWrite(id) else { return budget.remove(size) }
        outgoingCounted += size
        _ = write(.data, to: id) { $0.writeBytes(message) }
    }

    private func endStream(_ id: UInt32, _ error: RPCError?) {
        closeStream(id)
        budget.forget(id)
        streamEnds[id] = nil
        guard streams.finish(id) else { return }
        if let error {
            writeFinal(id, .failure(error))
        } else {
            _ = write(.data, to: id, flags: [.remoteClosed, .noData]) { _ in }
        }
    }

    /// Cancels the open calls with this call id, except the asking call. Returns whether there was one.
    func cancel(_ callID: String, askedBy asking: UInt32? = nil) -> Bool {
        let ended = streams.end(callID: callID, otherThan: asking)
        ended.forEach { finishEarly($0, RPCError(code: .cancelled, message: "the call was cancelled")) }
        return !ended.isEmpty
    }

    private func endEarly(_ id: UInt32, _ error: RPCError) {
        guard let kind = streams.end(id) else { return }
        finishEarly(ServerStreams.Ended(id: id, kind: kind), error)
    }

    private func shutDown(grace: TimeAmount) {
        guard !isStopping else { return }
        isStopping = true
        streams.end { kind, _ in kind == .streaming }.forEach { finishEarly($0, Self.shuttingDown) }
        timers.closing = now + grace
        setTimer(timers.closing)
    }

    /// Ends a connection whose grace period is over.
    private func giveUp() {
        if isClosing {
            context?.close(promise: nil)
        } else {
            streams.end { _, _ in true }.forEach { finishEarly($0, Self.shuttingDown) }
            beginClosing()
        }
    }

    private func endStall(_ now: NIODeadline) {
        guard budget.isFull else {
            // The connection does not hold up any other yet.
            timers.outboundStall = nil
            return watchForStall()
        }
        let error = RPCError(code: .resourceExhausted, message: "the peer is not reading its messages")
        let ended = streams.end { kind, _ in kind == .streaming }
        guard !ended.isEmpty else {
            context?.close(promise: nil)
            return
        }
        ended.forEach { finishEarly($0, error) }
        timers.outboundStall = now + limits.outboundStall
    }

    private func isDue(_ deadline: NIODeadline?, _ now: NIODeadline) -> Bool {
        deadline.map { $0 <= now } ?? false
    }

    private func write(
        _ type: FrameType,
        to id: UInt32,
        flags: FrameFlags = [],
        body: (inout ByteBuffer) -> Void
    ) -> Bool {
        outgoing.writeFrame(type, streamID: id, flags: flags, lengthMaximum: limits.sentFrameLength, body: body)
    }
}
