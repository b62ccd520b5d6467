import NIOCore
import NIOHTTP1

/// Answers the requests of one connection, one after another.
final class ContentHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private struct Sending {
        var bytes: ServedBytes
        var reply: Reply
        var position: Int
        var sent = 0
        var extraBytes: Int
    }

    private let answer: (HTTPRequestHead) -> (ServedBytes, Reply)?
    private var sending: Sending?
    private var isPausing = false

    init(_ answer: @escaping (HTTPRequestHead) -> (ServedBytes, Reply)?) {
        self.answer = answer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data) else {
            return
        }
        guard let (bytes, reply) = answer(head) else {
            return refuse(context, .notFound, HTTPHeaders())
        }
        if let status = reply.status {
            return refuse(context, HTTPResponseStatus(statusCode: status), HTTPHeaders(reply.headers))
        }
        let served = ServedRange(head, reply, bytes.length)
        var response = HTTPResponseHead(version: .http1_1, status: served.status, headers: served.headers)
        reply.headers.forEach { response.headers.replaceOrAdd(name: $0.0, value: $0.1) }
        context.writeAndFlush(wrapOutboundOut(.head(response)), promise: nil)
        sending = Sending(bytes: bytes, reply: reply, position: served.start, extraBytes: reply.extraBytes)
        send(context)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        send(context)
        context.fireChannelWritabilityChanged()
    }

    private func refuse(_ context: ChannelHandlerContext, _ status: HTTPResponseStatus, _ headers: HTTPHeaders) {
        var headers = headers
        headers.replaceOrAdd(name: "content-length", value: "0")
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    private func send(_ context: ChannelHandlerContext) {
        while context.channel.isWritable, !isPausing, var current = sending {
            let reply = current.reply
            if reply.stallAfter == current.sent {
                return
            }
            if reply.cutAfter == current.sent {
                sending = nil
                return closeAfterwards(context)
            }
            guard let chunk = Self.nextChunk(&current) else {
                sending = nil
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
                return
            }
            sending = current
            context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(chunk))), promise: nil)
            if reply.pauseMilliseconds > 0 {
                pause(context, reply.pauseMilliseconds)
            }
        }
    }

    /// Closes the connection after all earlier writes have been sent.
    private func closeAfterwards(_ context: ChannelHandlerContext) {
        let context = NIOLoopBound(context, eventLoop: context.eventLoop)
        let empty = wrapOutboundOut(.body(.byteBuffer(ByteBuffer())))
        context.value.writeAndFlush(empty).whenComplete { _ in context.value.close(promise: nil) }
    }

    private func pause(_ context: ChannelHandlerContext, _ milliseconds: Int64) {
        isPausing = true
        let context = NIOLoopBound(context, eventLoop: context.eventLoop)
        let handler = NIOLoopBound(self, eventLoop: context.value.eventLoop)
        context.value.eventLoop.scheduleTask(in: .milliseconds(milliseconds)) {
            handler.value.isPausing = false
            handler.value.send(context.value)
        }
    }

    private static func nextChunk(_ sending: inout Sending) -> ByteBuffer? {
        let reply = sending.reply
        let end = [reply.cutAfter, reply.stallAfter].compactMap { $0 }.min() ?? .max
        let room = min(reply.chunkBytes, end - sending.sent)
        guard var chunk = sending.bytes.slice(at: sending.position, atMost: room) else {
            guard sending.extraBytes > 0 else { return nil }
            let count = min(sending.extraBytes, room)
            sending.extraBytes -= count
            sending.sent += count
            return ByteBuffer(repeating: 0x78, count: count)
        }
        if let corruptAt = reply.corruptAt, corruptAt >= sending.position {
            let index = chunk.readerIndex + corruptAt - sending.position
            if let byte: UInt8 = corruptAt - sending.position < chunk.readableBytes ? chunk.getInteger(at: index) : nil
            {
                chunk.setInteger(byte ^ 1, at: index)
            }
        }
        sending.position += chunk.readableBytes
        sending.sent += chunk.readableBytes
        return chunk
    }
}
