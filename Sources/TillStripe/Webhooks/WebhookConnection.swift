import NIOCore
import NIOHTTP1

/// Reads the one request of a connection, answers it, and closes.
final class WebhookConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let limits: WebhookListener.Limits
    private let decide: (_ headers: [String], _ body: [UInt8]) -> WebhookSignature.Verdict
    private let note: (WebhookSignature.Verdict) -> Void
    private var exchange = WebhookExchange()
    private var timer: Scheduled<Void>?

    /// - Parameters:
    ///   - decide: Decides about a complete request.
    ///   - note: Called with the verdict, before it is answered.
    init(
        limits: WebhookListener.Limits,
        decide: @escaping (_ headers: [String], _ body: [UInt8]) -> WebhookSignature.Verdict,
        note: @escaping (WebhookSignature.Verdict) -> Void
    ) {
        self.limits = limits
        self.decide = decide
        self.note = note
    }

    /// The decoder and encoder of HTTP, and this handler.
    static func configure(_ channel: any Channel, _ handler: WebhookConnection) throws {
        var decoding = NIOHTTPDecoderLimitConfiguration()
        decoding.maxHeaderFieldSize = WebhookListener.Limits.fieldMaximum
        decoding.maxHeaderListSize = WebhookListener.Limits.headMaximum
        decoding.maxHeaderFieldCount = WebhookListener.Limits.fieldCountMaximum
        let pipeline = channel.pipeline.syncOperations
        // The handler has one request, and answers the decoder's errors itself.
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false,
            withErrorHandling: false,
            withEncoderConfiguration: HTTPResponseEncoder.Configuration(),
            withDecoderLimitConfiguration: decoding
        )
        try pipeline.addHandler(handler)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: limits.requestTime) {
            self.carryOut(self.exchange.refuse(.tooSlow), context)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        carryOut(exchange.read(unwrapInboundIn(data)), context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !exchange.isDecided else {
            return
        }
        switch error as? HTTPParserError {
        case .headerOverflow?: carryOut(exchange.refuse(.headTooLarge), context)
        case _?: carryOut(exchange.refuse(.malformedRequest), context)
        // The connection itself failed.
        case nil: context.close(promise: nil)
        }
    }

    private func carryOut(_ step: WebhookExchange.Step, _ context: ChannelHandlerContext) {
        switch step {
        case .wait:
            break
        case .refuse(let refusal):
            finish(.refused(refusal), context, isRead: false)
        case .verify(let headers, let body):
            finish(decide(headers, body), context, isRead: true)
        }
    }

    /// - Parameter isRead: Whether the request was read to its end.
    private func finish(_ verdict: WebhookSignature.Verdict, _ context: ChannelHandlerContext, isRead: Bool) {
        note(verdict)
        answer(verdict, context)
        timer?.cancel()
        guard !isRead else {
            return context.close(promise: nil)
        }
        // The peer may still be sending. If the connection was closed now, the kernel would answer with a reset, and the
        // peer might lose the answer. So the rest is read and dropped for a moment.
        context.close(mode: .output, promise: nil)
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: limits.lingerTime) {
            context.close(promise: nil)
        }
    }

    private func answer(_ verdict: WebhookSignature.Verdict, _ context: ChannelHandlerContext) {
        var head = HTTPResponseHead(version: .http1_1, status: .ok)
        head.headers = ["content-length": "0", "connection": "close"]
        if case .refused(let refusal) = verdict {
            head.status = refusal.status
            if refusal == .wrongMethod {
                head.headers.add(name: "allow", value: "POST")
            }
        }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
