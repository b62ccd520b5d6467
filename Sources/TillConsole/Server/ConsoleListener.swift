import HTTPTypes
import HummingbirdCore
package import Logging
import NIOConcurrencyHelpers
package import NIOCore
import NIOHTTPTypes
import NIOPosix
package import TillEngine
package import TillHTTP
package import TillModel

/// Serves the operator page on this machine, over HTTP/1.1.
package final class ConsoleListener: Sendable {
    /// Connections that are open at once. Others wait in the backlog.
    package static let connectionsMaximum = 16
    /// The longest headers of a request together, and the longest of them, in bytes.
    static let headMaximum = 8 << 10
    /// The largest number of headers.
    static let fieldCountMaximum = 64
    /// How long a connection may take for the head of its next request.
    static let idleTime = TimeAmount.seconds(10)

    private typealias Connection = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    private let connections: HTTP1Channel
    private let metrics: ConsoleMetrics
    private let history = FigureHistory()
    private let logger: Logger
    private let channel = NIOLockedValueBox<NIOAsyncChannel<Connection, Never>?>(nil)

    /// - Parameters:
    ///   - port: The port of the loopback address at which it will listen; nil for a Unix socket.
    package init(
        _ engine: PaymentEngine,
        sessions: ConsoleSessions,
        port: Int?,
        metrics: ConsoleMetrics,
        logger: Logger
    ) {
        self.metrics = metrics
        self.logger = logger
        let gate = RequestGuard(port: port, sessions: sessions)
        let responder = ConsoleResponder(
            engine: engine,
            sessions: sessions,
            gate: gate,
            metrics: metrics,
            history: history,
            sales: SalesReader(engine),
            logger: logger
        )
        connections = HTTP1Channel(
            responder: { request, writer, _ in
                let reply = await responder.reply(to: request)
                try await writer.write(response: reply.head, body: reply.body)
            },
            configuration: HTTP1Channel.Configuration(
                idleTimeout: Self.idleTime,
                httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
                    maxHeaderFieldSize: Self.headMaximum,
                    maxHeaderListSize: Self.headMaximum,
                    maxHeaderFieldCount: Self.fieldCountMaximum
                )
            )
        )
    }

    /// Listens from now on, until ``run()`` ends. Call it once.
    ///
    /// - Throws: `failedPrecondition` if the place cannot be used.
    package func listen(
        at place: ListeningPlace,
        on group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) async throws(TillError) {
        let bootstrap = ServerBootstrap.bounded(on: group, connectionsMaximum: Self.connectionsMaximum)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
        let setUp = { @Sendable [connections, logger] (channel: any Channel) in
            connections.setup(channel: channel, logger: logger)
        }
        do {
            let bound =
                switch place {
                case .descriptor(let descriptor):
                    try await bootstrap.bind(descriptor, childChannelInitializer: setUp)
                case .address(let host, let port):
                    try await bootstrap.bind(host: host, port: port, childChannelInitializer: setUp)
                }
            channel.withLockedValue { $0 = bound }
        } catch {
            throw TillError(.failedPrecondition, "Cannot serve the operator page: \(error).", cause: error)
        }
    }

    /// Serves until the task is cancelled. Then it closes all connections.
    package func run() async {
        await withTaskGroup { [metrics, history] group in
            group.addTask { await history.run(metrics.samples, time: SystemTime()) }
            group.addTask { await self.serve() }
        }
    }

    private func serve() async {
        guard let channel = channel.withLockedValue({ $0 }) else {
            return
        }
        do {
            try await channel.executeThenClose { accepted in
                await withDiscardingTaskGroup { [connections, logger] group in
                    do {
                        for try await connection in accepted {
                            group.addTask { await connections.handle(value: connection, logger: logger) }
                        }
                    } catch is CancellationError {
                        // The daemon stops.
                    } catch {
                        logger.error("The operator page is no longer served", metadata: ["error": "\(error)"])
                    }
                    group.cancelAll()
                }
            }
        } catch {
            logger.debug("The operator page's socket could not be closed", metadata: ["error": "\(error)"])
        }
    }
}
