import NIOCore
import NIOHTTP1
import NIOPosix

/// Sends webhooks to addresses on this machine.
struct WebhookSender: Sendable {
    private static let timeout = TimeAmount.seconds(10)

    /// Sends one webhook, and returns the status of the answer; nil if there was none.
    static func send(_ webhook: Webhook, on loop: any EventLoop) -> EventLoopFuture<Int?> {
        let answer = loop.makePromise(of: Int?.self)
        let bootstrap = ClientBootstrap(group: loop).connectTimeout(timeout).channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHTTPClientHandlers()
                try channel.pipeline.syncOperations.addHandler(AnswerStatusHandler(answer))
            }
        }
        let target = Target(webhook.url)
        connect(bootstrap, target).whenComplete { result in
            guard case .success(let channel) = result else {
                return answer.succeed(nil)
            }
            let expiry = loop.scheduleTask(in: timeout) { channel.close(promise: nil) }
            channel.closeFuture.whenComplete { _ in expiry.cancel() }
            write(webhook, target, to: channel)
        }
        return answer.futureResult
    }

    private static func connect(_ bootstrap: ClientBootstrap, _ target: Target) -> EventLoopFuture<any Channel> {
        if let socket = target.socket {
            return bootstrap.connect(unixDomainSocketPath: socket)
        }
        return bootstrap.connect(host: "127.0.0.1", port: target.port)
    }

    private static func write(_ webhook: Webhook, _ target: Target, to channel: any Channel) {
        let headers: HTTPHeaders = [
            "host": "localhost", "content-type": "application/json; charset=utf-8", "user-agent": "Stripe/1.0",
            "content-length": "\(webhook.body.utf8.count)", "connection": "close",
            "stripe-signature": webhook.signature,
        ]
        let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: target.path, headers: headers)
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        channel.write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(string: webhook.body))), promise: nil)
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    }

    /// Where a webhook goes: a port of this machine, or a Unix socket.
    private struct Target {
        var socket: String?
        var port = 80
        var path = "/"

        init(_ url: String) {
            if url.hasPrefix("unix:") {
                let parts = url.dropFirst(5).split(separator: ":", maxSplits: 1)
                socket = parts.first.map(String.init)
                path = parts.count > 1 ? String(parts[1]) : "/"
            } else if let match = url.firstMatch(of: /^http:\/\/[^\/:]+(?::(\d+))?(\/.*)?$/) {
                port = match.output.1.flatMap { Int($0) } ?? 80
                path = match.output.2.map(String.init) ?? "/"
            }
        }
    }
}

/// Completes a promise with the status of an answer, or with nil when the connection closes without one.
private final class AnswerStatusHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let answer: EventLoopPromise<Int?>
    private var status: Int?

    init(_ answer: EventLoopPromise<Int?>) {
        self.answer = answer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): status = Int(head.status.code)
        case .body: break
        case .end:
            answer.succeed(status)
            context.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        answer.succeed(nil)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
