import NIOCore

extension TTRPCClient {
    /// Makes a unary call and returns its answer.
    ///
    /// Without a timeout `limits.unaryTimeout` holds. A call that has no answer by then fails with DEADLINE_EXCEEDED, a
    /// cancelled task's with CANCELLED; in both cases the server may have carried it out.
    public func unary(
        _ service: String,
        _ method: String,
        _ payload: [UInt8],
        timeout: Duration? = nil,
        metadata: Metadata = [:]
    ) async throws(RPCError) -> [UInt8] {
        try metadata.checkLimits()
        let timeout = TimeAmount(timeout ?? limits.unaryTimeout)
        let request = RequestEnvelope(
            service: service,
            method: method,
            payload: payload,
            timeout: max(timeout.nanoseconds, 1),
            metadata: metadata
        )
        let token = makeToken()
        let deadline = now + timeout
        let envelope = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                start(ClientCall(token: token, request: request, deadline: deadline, sink: .unary(continuation)))
                // A cancellation that came before the call was posted is posted again.
                if Task.isCancelled { abandon(token) }
            }
        } onCancel: {
            abandon(token)
        }
        return try envelope.get()
    }

    /// Makes a call that the server answers with many messages; how it fails is seen by reading them.
    ///
    /// Without a timeout the stream may last for ever. It fails with DEADLINE_EXCEEDED when the server sends nothing
    /// for longer than `silenceMaximum`, which shows a peer that is dead but connected. To leave a stream the server must be told by another call, for
    /// ttrpc has no frame for that: messages that come later are dropped.
    public func serverStreaming(
        _ service: String,
        _ method: String,
        _ payload: [UInt8],
        timeout: Duration? = nil,
        silenceMaximum: Duration? = nil,
        metadata: Metadata = [:]
    ) -> ServerStreamMessages {
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: [UInt8].self,
            bufferingPolicy: .bufferingOldest(limits.streamMessages)
        )
        do throws(RPCError) {
            try metadata.checkLimits()
            let timeout = timeout.map { max(TimeAmount($0), .nanoseconds(1)) }
            let request = RequestEnvelope(
                service: service,
                method: method,
                payload: payload,
                timeout: timeout?.nanoseconds ?? 0,
                metadata: metadata
            )
            let token = makeToken()
            let deadline = timeout.map { now + $0 } ?? .distantFuture
            start(
                ClientCall(
                    token: token,
                    request: request,
                    deadline: deadline,
                    silenceMaximum: silenceMaximum.map { max(TimeAmount($0), .nanoseconds(1)) },
                    sink: .stream(continuation)
                )
            )
            continuation.onTermination = { [mailbox] _ in _ = mailbox.post(.abandon(token)) }
        } catch {
            continuation.finish(throwing: error)
        }
        return ServerStreamMessages(stream, of: self)
    }

    private func start(_ call: ClientCall) {
        if !mailbox.post(.start(call)) { call.finish(.failure(Self.notConnected)) }
    }
}
