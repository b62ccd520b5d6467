import NIOCore

/// A connection of a hostile peer. It sends as fast as the daemon reads, and counts.
final class AttackHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let attack: Attack
    private let application: String
    private let tally: Tally
    private var sent = 0

    init(_ attack: Attack, application: String, tally: Tally) {
        self.attack = attack
        self.application = application
        self.tally = tally
    }

    func channelActive(context: ChannelHandlerContext) {
        tally.countConnection()
        context.writeAndFlush(wrapOutboundOut(attack.opening(application: application)), promise: nil)
        if attack == .reconnects { return context.close(promise: nil) }
        sendNext(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        tally.countBytesRead(unwrapInboundIn(data).readableBytes)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func sendNext(_ context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        guard let bytes = attack.next(sent) else {
            if attack.closesItsSide { context.close(mode: .output, promise: nil) }
            return
        }
        sent += 1
        let written = context.eventLoop.makePromise(of: Void.self)
        let context = NIOLoopBound(context, eventLoop: context.eventLoop)
        let handler = NIOLoopBound(self, eventLoop: context.value.eventLoop)
        written.futureResult.whenSuccess {
            handler.value.tally.countFrame()
            // This runs later, because a socket that accepts everything would let the recursion grow the stack.
            context.value.eventLoop.execute { handler.value.sendNext(context.value) }
        }
        context.value.writeAndFlush(wrapOutboundOut(bytes), promise: written)
    }
}
