import NIOCore
import NIOHTTP1

/// The request of a connection, and what to do with each of its parts. Each connection has one request.
///
/// Its states are: the head is expected; the body is read; the request is decided. Parts after the decision are ignored:
/// the peer may still send the rest of a request that was refused early, or further requests, which it must not. Any
/// other order of parts would be a fault of the HTTP decoder, and is refused like a malformed request.
struct WebhookExchange: Sendable {
    /// The longest body that is read, in bytes.
    static let bodyMaximum = 64 << 10

    enum Step: Equatable {
        case wait
        case refuse(WebhookRefusal)
        /// The request is complete: verify its body with the values of its signature headers.
        case verify(headers: [String], body: [UInt8])
    }

    private enum State {
        case head, body, decided
    }

    private var state = State.head
    private var headers: [String] = []
    private var body = ByteBuffer()

    var isDecided: Bool { state == .decided }

    mutating func read(_ part: HTTPServerRequestPart) -> Step {
        switch (state, part) {
        case (.decided, _):
            return .wait
        case (.head, .head(let head)):
            return read(head)
        case (.body, .body(var bytes)):
            guard body.readableBytes + bytes.readableBytes <= Self.bodyMaximum else {
                return refuse(.bodyTooLarge)
            }
            body.writeBuffer(&bytes)
            return .wait
        case (.body, .end):
            state = .decided
            return .verify(headers: headers, body: Array(body.readableBytesView))
        case (.head, _), (.body, .head):
            return refuse(.malformedRequest)
        }
    }

    /// Ends the request because of something other than its parts.
    mutating func refuse(_ refusal: WebhookRefusal) -> Step {
        guard !isDecided else {
            return .wait
        }
        state = .decided
        body = ByteBuffer()
        return .refuse(refusal)
    }

    private mutating func read(_ head: HTTPRequestHead) -> Step {
        guard head.uri.prefix(while: { $0 != "?" }) == WebhookListener.path else {
            return refuse(.unknownPath)
        }
        guard head.method == .POST else {
            return refuse(.wrongMethod)
        }
        // A length that is not a number, or not the only one, is refused by the decoder.
        if let length = head.headers.first(name: "content-length").flatMap({ Int($0) }), length > Self.bodyMaximum {
            return refuse(.bodyTooLarge)
        }
        headers = head.headers[WebhookSignature.header]
        state = .body
        return .wait
    }
}
