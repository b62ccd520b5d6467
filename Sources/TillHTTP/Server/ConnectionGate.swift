import NIOCore

/// Accepts connections only while fewer than the maximum are open. Further peers wait in the socket's backlog until one ends,
/// which takes no longer than a request may.
final class ConnectionGate: ChannelInboundHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel

    /// How long accepting pauses after an error, such as a lack of file descriptors.
    static let pause = TimeAmount.milliseconds(100)

    private let maximum: Int
    private var open: [ObjectIdentifier: any Channel] = [:]
    private var isPausing = false
    private var isAccepting = true

    init(maximum: Int) {
        self.maximum = maximum
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let connection = unwrapInboundIn(data)
        let id = ObjectIdentifier(connection)
        // It is kept until it is closed, so its identity is unique until then.
        open[id] = connection
        update(context)
        let gate = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        connection.closeFuture.hop(to: context.eventLoop).whenComplete { _ in
            let (gate, context) = gate.value
            gate.open[id] = nil
            gate.update(context)
        }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !isPausing else {
            return
        }
        isPausing = true
        update(context)
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) {
            self.isPausing = false
            self.update(context)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        open.values.forEach { $0.close(promise: nil) }
        context.fireChannelInactive()
    }

    private func update(_ context: ChannelHandlerContext) {
        let accepts = !isPausing && open.count < maximum
        guard accepts != isAccepting else {
            return
        }
        isAccepting = accepts
        // If the listening channel is already closed, the option does not matter.
        try? context.channel.syncOptions?.setOption(.autoRead, value: accepts)
    }
}
