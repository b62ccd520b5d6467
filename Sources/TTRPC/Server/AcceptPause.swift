import Logging
import NIOCore
import NIOConcurrencyHelpers

/// Stops accepting for a moment when the process has no descriptor left for another connection, and while many accepted
/// connections are not admitted yet. Clients that connect in the meantime wait in the socket's backlog.
///
/// Only connections that are admitted count against the server's limits, so that without the second rule clients that
/// connect again and again would take any number of descriptors.
///
/// NIO 2.101 keeps the listening socket registered after a failed `accept`, its own back-off notwithstanding, and so
/// would try again at once and without end.
final class AcceptPause: ChannelInboundHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel

    /// How long nothing is accepted after an error.
    static let duration = TimeAmount.milliseconds(100)
    /// The most connections that are accepted, and neither admitted nor closed.
    static let enteringMaximum = 16

    private let logger: Logger
    private var context: ChannelHandlerContext?
    private var entering: Set<ObjectIdentifier> = []
    private var isOutOfDescriptors = false
    private var isAccepting = true

    init(logger: Logger) {
        self.logger = logger
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let connection = unwrapInboundIn(data)
        entering.insert(ObjectIdentifier(connection))
        update()
        // One that fails before anybody looks at it. The channel stays alive until then, and so keeps its identity.
        let pause = NIOLoopBound(self, eventLoop: context.eventLoop)
        connection.closeFuture.hop(to: context.eventLoop).whenComplete { _ in pause.value.leave(connection) }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.fireErrorCaught(error)
        guard error is IOError, !isOutOfDescriptors else { return }
        isOutOfDescriptors = true
        logger.debug("cannot accept a connection", metadata: ["error": "\(error)"])
        update()
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.duration) {
            self.isOutOfDescriptors = false
            self.update()
        }
    }

    /// Notes that a connection is admitted or closed.
    func leave(_ connection: any Channel) {
        guard entering.remove(ObjectIdentifier(connection)) != nil else { return }
        update()
    }

    private func update() {
        let isAccepting = !isOutOfDescriptors && entering.count < Self.enteringMaximum
        guard isAccepting != self.isAccepting else { return }
        self.isAccepting = isAccepting
        // A listening channel that is closed by now needs no option.
        try? context?.channel.syncOptions?.setOption(.autoRead, value: isAccepting)
    }
}

/// Tells the handler of the accepting socket which connections are admitted, from their own event loops.
final class Entrance: Sendable {
    private let pause = NIOLockedValueBox<NIOLoopBound<AcceptPause>?>(nil)

    /// On the event loop of the accepting socket.
    func attach(_ pause: AcceptPause, on eventLoop: any EventLoop) {
        self.pause.withLockedValue { $0 = NIOLoopBound(pause, eventLoop: eventLoop) }
    }

    func leave(_ connection: any Channel) {
        guard let pause = pause.withLockedValue({ $0 }) else { return }
        pause.eventLoop.execute { pause.value.leave(connection) }
    }
}
