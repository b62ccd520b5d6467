import Logging
import NIOCore

/// Stops accepting for a moment when the process has no descriptor left for another connection.
///
/// NIO 2.101 keeps the listening socket registered after a failed `accept`, its own back-off notwithstanding, and so
/// would try again at once and without end. Those who connect meanwhile wait in the socket's backlog.
final class AcceptPause: ChannelInboundHandler {
    typealias InboundIn = any Channel

    /// How long nothing is accepted.
    static let duration = TimeAmount.milliseconds(100)

    private let logger: Logger
    private var isPaused = false

    init(logger: Logger) {
        self.logger = logger
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.fireErrorCaught(error)
        guard error is IOError, !isPaused else { return }
        isPaused = true
        logger.debug("cannot accept a connection", metadata: ["error": "\(error)"])
        setAutoRead(false, context)
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.duration) {
            self.isPaused = false
            self.setAutoRead(true, context)
        }
    }

    private func setAutoRead(_ isOn: Bool, _ context: ChannelHandlerContext) {
        // A listening channel that is closed by now needs no option.
        try? context.channel.syncOptions?.setOption(.autoRead, value: isOn)
    }
}
