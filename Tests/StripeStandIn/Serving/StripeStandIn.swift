import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix

/// A stand-in for Stripe's API, for tests without a network.
///
/// It serves HTTP on 127.0.0.1 and, if wanted, on a Unix socket: the API below `/v1`, the payer's pages, and the control below `/control`. With a book,
/// each request's effect is one transaction, so that a process that is killed continues with the same state.
package final class StripeStandIn: Sendable {
    package struct Configuration: Sendable {
        /// The port; 0 is any free one.
        package var port = 0
        /// The path of a Unix socket that serves the same.
        package var socketPath: String?
        /// The file of the book; nil keeps the state in memory.
        package var bookPath: String?
        /// The settings of a new book.
        package var settings = Settings()
        /// Whether due webhooks are sent after each request.
        package var deliversWebhooks = false

        package init(_ change: (inout Configuration) -> Void = { _ in }) {
            change(&self)
        }
    }

    package let control: StripeControl
    /// The address, such as `http://127.0.0.1:8080`.
    package let address: String
    package let port: Int
    /// The listeners and the connections.
    private let channels: NIOLockedValueBox<[ObjectIdentifier: any Channel]>

    /// Starts a stand-in, and returns when it accepts connections.
    package init(_ configuration: Configuration = Configuration()) async throws {
        let backend = try Backend(settings: configuration.settings, bookPath: configuration.bookPath)
        let control = StripeControl(backend, deliversWebhooks: configuration.deliversWebhooks)
        let channels = NIOLockedValueBox<[ObjectIdentifier: any Channel]>([:])
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { child in
                Self.keep(child, in: channels)
                return child.eventLoop.makeCompletedFuture {
                    try child.pipeline.syncOperations.configureHTTPServerPipeline()
                    try child.pipeline.syncOperations.addHandler(ConnectionHandler(backend, control))
                }
            }
        let channel = try await bootstrap.bind(host: "127.0.0.1", port: configuration.port).get()
        Self.keep(channel, in: channels)
        if let path = configuration.socketPath {
            Self.keep(try await bootstrap.bind(unixDomainSocketPath: path).get(), in: channels)
        }
        port = channel.localAddress?.port ?? 0
        address = "http://127.0.0.1:\(port)"
        backend.setBaseURL(address)
        self.control = control
        self.channels = channels
    }

    /// Closes the listeners and all connections.
    package func stop() async {
        for channel in channels.withLockedValue({ Array($0.values) }) {
            try? await channel.close()
        }
    }

    private static func keep(
        _ channel: any Channel,
        in channels: NIOLockedValueBox<[ObjectIdentifier: any Channel]>
    ) {
        let id = ObjectIdentifier(channel)
        channels.withLockedValue { $0[id] = channel }
        channel.closeFuture.whenComplete { _ in channels.withLockedValue { $0[id] = nil } }
    }
}
