import Logging
import NIOCore
import NIOConcurrencyHelpers

/// Pauses accepting for a moment when the process runs out of file descriptors, and while too many accepted connections
/// await admission. Clients that connect in the meantime wait in the socket's backlog.
///
/// Only admitted connections count against the server's limits. Without the second rule, clients that keep reconnecting
/// could use any number of descriptors.
///
/// NIO 2.101 keeps the listening socket registered after a failed `accept`, despite its own backoff, and would retry in
/// a busy loop.
final class AcceptPause: ChannelInboundHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel

    /// How long accepting pauses after an error.
    static let duration = TimeAmount.milliseconds(100)
    /// The maximum number of accepted connections that are neither admitted nor closed.
    static let pendingMaximum = 16

    private let logger: Logger
    private var context: ChannelHandlerContext?
    private var pending: Set<ObjectIdentifier> = []
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
        pending.insert(ObjectIdentifier(connection))
        update()
        // The connection may fail before it is admitted. The channel stays alive until it is closed, so its identity is
        // unique until then.
        let pause = NIOLoopBound(self, eventLoop: context.eventLoop)
        connection.closeFuture.hop(to: context.eventLoop).whenComplete { _ in pause.value.removePending(connection) }
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

    /// Removes a connection that was admitted or closed from the pending ones.
    func removePending(_ connection: any Channel) {
        guard pending.remove(ObjectIdentifier(connection)) != nil else { return }
        update()
    }

    private func update() {
        let isAccepting = !isOutOfDescriptors && pending.count < Self.pendingMaximum
        guard isAccepting != self.isAccepting else { return }
        self.isAccepting = isAccepting
        // If the listening channel is already closed, the option does not matter.
        try? context?.channel.syncOptions?.setOption(.autoRead, value: isAccepting)
    }
}

/// Notifies the listening socket's handler of admitted connections, from the connections' own event loops.
final class AdmissionNotifier: Sendable {
    private let pause = NIOLockedValueBox<NIOLoopBound<AcceptPause>?>(nil)

    /// Call it on the event loop of the listening socket.
    func attach(_ pause: AcceptPause, on eventLoop: any EventLoop) {
        self.pause.withLockedValue { $0 = NIOLoopBound(pause, eventLoop: eventLoop) }
    }

    func removePending(_ connection: any Channel) {
        guard let pause = pause.withLockedValue({ $0 }) else { return }
        pause.eventLoop.execute { pause.value.removePending(connection) }
    }
}
