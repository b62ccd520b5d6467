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
    ///
    /// - Parameters:
    ///   - service: The service, as `till.v1.PaymentQueue`.
    ///   - method: The method's name.
    ///   - payload: The encoded request.
    ///   - timeout: The deadline of the whole stream; nil for none.
    ///   - silenceMaximum: The longest time between two messages; nil for any.
    ///   - metadata: Names and values for the server.
    ///   - pausesConnection: Whether unread messages make the connection stop reading, instead of ending the stream once
    ///     its buffer is full. Use it for a stream that has the connection to itself, because answers to other calls wait
    ///     too.
    public func serverStreaming(
        _ service: String,
        _ method: String,
        _ payload: [UInt8],
        timeout: Duration? = nil,
        silenceMaximum: Duration? = nil,
        metadata: Metadata = [:],
        pausesConnection: Bool = false
    ) -> ServerStreamMessages {
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: [UInt8].self,
            // One read of the connection may bring thousands of small messages before reading pauses. Their bytes are few.
            bufferingPolicy: pausesConnection ? .unbounded : .bufferingOldest(limits.streamMessages)
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
                    pausesConnection: pausesConnection,
                    sink: .stream(continuation)
                )
            )
            continuation.onTermination = { [mailbox] _ in _ = mailbox.post(.abandon(token)) }
            return ServerStreamMessages(stream, of: self, pausing: pausesConnection ? token : nil)
        } catch {
            continuation.finish(throwing: error)
        }
        return ServerStreamMessages(stream, of: self, pausing: nil)
    }

    private func start(_ call: ClientCall) {
        if !mailbox.post(.start(call)) { call.finish(.failure(Self.notConnected)) }
    }
}

/// The messages of one streaming call, in order. The call is cancelled when the last reference is released.
///
/// Only one task may iterate over them, and only once.
public struct ServerStreamMessages: AsyncSequence, Sendable {
    public typealias Element = [UInt8]
    public typealias Failure = RPCError

    private let stream: AsyncThrowingStream<[UInt8], any Error>

    private let client: TTRPCClient
    /// The call's token if unread messages pause the connection.
    private let token: UInt64?

    init(_ stream: AsyncThrowingStream<[UInt8], any Error>, of client: TTRPCClient, pausing token: UInt64?) {
        self.stream = stream
        self.client = client
        self.token = token
    }

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator {
        Iterator(base: stream.makeAsyncIterator(), client: client, token: token)
    }

    /// Reads the messages one by one.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: AsyncThrowingStream<[UInt8], any Error>.Iterator
        /// Keeps the connection open while the iterator exists.
        fileprivate let client: TTRPCClient
        fileprivate let token: UInt64?

        /// Returns the next message, or `nil` at the end of the stream. Throws the call's error.
        ///
        /// Fails with CANCELLED when the task is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(RPCError) -> [UInt8]? {
            do {
                if let message = try await base.next(isolation: actor) {
                    token.map { _ = client.mailbox.post(.read($0)) }
                    return message
                }
            } catch {
                throw error as? RPCError ?? RPCError(code: .unknown, message: "the stream failed")
            }
            // A cancelled task must not mistake its own cancellation for the server's end of the stream.
            if Task.isCancelled { throw TTRPCClient.cancelled }
            return nil
        }

        /// Returns the next message, or `nil` at the end of the stream. Throws the call's error.
        public mutating func next() async throws(RPCError) -> [UInt8]? {
            try await next(isolation: #isolation)
        }
    }
}

/// A call on its way to the event loop.
struct ClientCall: Sendable {
    /// Where the answers are sent.
    enum Sink: Sendable {
        case unary(CheckedContinuation<ResponseEnvelope, Never>)
        case stream(AsyncThrowingStream<[UInt8], any Error>.Continuation)
    }

    /// Identifies the call for its caller.
    let token: UInt64
    let request: RequestEnvelope
    let deadline: NIODeadline
    /// How long the server may go without sending a message on a stream.
    var silenceMaximum: TimeAmount?
    /// Whether unread messages make the connection stop reading.
    var pausesConnection = false
    let sink: Sink

    var kind: ClientStreams.Kind {
        if case .unary = sink { .unary } else { .streaming }
    }

    /// Ends the call with a response: a unary call's answer, or a stream's last message, if it is not empty.
    func finish(_ envelope: ResponseEnvelope) {
        switch (sink, envelope) {
        case (.unary(let continuation), _):
            continuation.resume(returning: envelope)
        case (.stream(let continuation), .success(let message)):
            if !message.isEmpty { continuation.yield(message) }
            continuation.finish()
        case (.stream(let continuation), .failure(let error)):
            continuation.finish(throwing: error)
        }
    }
}
