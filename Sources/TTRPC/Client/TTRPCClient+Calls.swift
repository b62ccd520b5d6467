import NIOCore

extension TTRPCClient {
    /// Makes a unary call and returns its answer.
    ///
    /// Without a timeout, `limits.unaryTimeout` applies. The call fails with DEADLINE_EXCEEDED if no answer arrives in
    /// time, and with CANCELLED if the task is cancelled. In both cases the server may have executed it.
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
                // The task may have been cancelled before the call was posted; post the cancellation again.
                if Task.isCancelled { abandon(token) }
            }
        } onCancel: {
            abandon(token)
        }
        return try envelope.get()
    }

    /// Makes a call that the server answers with many messages. Errors are thrown while reading them.
    ///
    /// Without a timeout the stream has no deadline. If the server sends nothing for longer than `silenceMaximum`, the
    /// stream fails with DEADLINE_EXCEEDED; this detects a peer that is connected but dead. ttrpc has no frame to
    /// cancel a stream: tell the server with another call. Messages that arrive after cancellation are dropped.
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
