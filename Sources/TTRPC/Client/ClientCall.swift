import NIOCore

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
