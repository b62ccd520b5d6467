import Glibc
import NIOCore
import NIOHTTP1

/// Answers the requests of one connection, one after another.
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private static let bodyBytesMaximum = 1 << 20

    private let backend: Backend
    private let control: StripeControl
    private var head: HTTPRequestHead?
    private var body = ByteBuffer()

    init(_ backend: Backend, _ control: StripeControl) {
        self.backend = backend
        self.control = control
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body.clear()
        case .body(var bytes):
            guard body.readableBytes + bytes.readableBytes <= Self.bodyBytesMaximum else {
                return context.close(promise: nil)
            }
            body.writeBuffer(&bytes)
        case .end:
            if let head {
                serve(context, StripeRequest(head, body), isKeptAlive: head.isKeepAlive)
            }
        }
    }

    private func serve(_ context: ChannelHandlerContext, _ request: StripeRequest, isKeptAlive: Bool) {
        let connection = Connection(channel: context.channel, isKeptAlive: isKeptAlive)
        if request.path.hasPrefix("/control/") {
            control.answer(request, on: context.eventLoop).whenSuccess { connection.send($0) }
        } else if request.path.hasPrefix("/v1/") {
            serve(request, backend.takeFault(for: request), connection)
        } else if let page = backend.page(request) {
            connection.send(page)
        } else {
            connection.send(StripeAnswer(status: 404, text: "{}"))
        }
        control.deliverAutomatically()
    }

    private func serve(_ request: StripeRequest, _ fault: Fault?, _ connection: Connection) {
        switch fault?.kind {
        case .late(let seconds):
            postpone(seconds, connection) { [backend] in backend.execute(request, fault) }
        case .slow(let seconds):
            guard backend.begin(request) else {
                return connection.send(backend.execute(request, fault))
            }
            postpone(seconds, connection) { [backend] in
                backend.end(request)
                return backend.execute(request, fault)
            }
        case .hang(.before):
            break
        case .reset(.before):
            connection.reset()
        case .kill(.before):
            killProcess()
        default:
            let answer = backend.execute(request, fault)
            send(answer, fault, connection)
        }
    }

    private func send(_ answer: StripeAnswer, _ fault: Fault?, _ connection: Connection) {
        switch fault?.kind {
        case .hang: break
        case .reset: connection.reset()
        case .kill: killProcess()
        case .truncated: connection.send(answer, isTruncated: true)
        default: connection.send(answer)
        }
    }

    private func killProcess() {
        kill(getpid(), SIGKILL)
    }

    /// Executes a request later, even if its client has closed the connection by then.
    private func postpone(
        _ seconds: Int?,
        _ connection: Connection,
        _ execute: @escaping @Sendable () -> StripeAnswer
    ) {
        let run: @Sendable () -> Void = { [control] in
            connection.send(execute())
            control.deliverAutomatically()
        }
        if let seconds {
            connection.channel.eventLoop.scheduleTask(in: .seconds(Int64(seconds)), run)
        } else {
            backend.hold(run)
        }
    }
}

/// The sending side of a connection, for one answer.
private struct Connection: Sendable {
    var channel: any Channel
    var isKeptAlive: Bool

    /// Sends an answer, or the first half of its body before it closes the connection.
    func send(_ answer: StripeAnswer, isTruncated: Bool = false) {
        var headers = HTTPHeaders(answer.headers.map { ($0.key, $0.value) })
        headers.add(name: "content-type", value: answer.contentType)
        headers.add(name: "content-length", value: "\(answer.body.utf8.count)")
        let status = HTTPResponseStatus(statusCode: answer.status)
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        channel.write(HTTPServerResponsePart.head(head), promise: nil)
        let bytes = answer.body.utf8
        let sent = ByteBuffer(bytes: isTruncated ? bytes.prefix(bytes.count / 2) : bytes[...])
        let written = channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(sent)))
        if isTruncated {
            closeAfter(written)
        } else {
            let ended = channel.writeAndFlush(HTTPServerResponsePart.end(nil))
            if !isKeptAlive {
                closeAfter(ended)
            }
        }
    }

    private func closeAfter(_ written: EventLoopFuture<Void>) {
        written.whenComplete { _ in channel.close(promise: nil) }
    }

    /// Closes the connection so that the client's kernel reports a reset.
    func reset() {
        guard let socket = channel as? any SocketOptionProvider else {
            return channel.close(promise: nil)
        }
        socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in channel.close(promise: nil) }
    }
}

extension StripeRequest {
    fileprivate init(_ head: HTTPRequestHead, _ body: ByteBuffer) {
        let parts = head.uri.split(separator: "?", maxSplits: 1)
        var fields = FormFields(encoded: parts.count > 1 ? parts[1] : "")
        let isForm = head.headers.first(name: "content-type")?.contains("json") != true
        if isForm {
            fields.merge(FormFields(encoded: String(buffer: body)))
        }
        self.init(
            method: head.method.rawValue,
            path: parts.first.map(String.init) ?? "/",
            fields: fields,
            body: Array(body.readableBytesView),
            authorization: head.headers.first(name: "authorization"),
            version: head.headers.first(name: "stripe-version"),
            key: head.headers.first(name: "idempotency-key"),
            host: head.headers.first(name: "host")
        )
    }
}
