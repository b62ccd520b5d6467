import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix

/// A stand-in for Stripe's API, for tests without a network.
///
/// It serves HTTP on 127.0.0.1: the API below `/v1`, the payer's pages, and the control below `/control`. With a book,
/// each request's effect is one transaction, so that a process that is killed continues with the same state.
package final class StripeStandIn: Sendable {
    package struct Configuration: Sendable {
        /// The port; 0 is any free one.
        package var port = 0
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
    private let channel: any Channel
    private let connections: NIOLockedValueBox<[ObjectIdentifier: any Channel]>

    /// Starts a stand-in, and returns when it accepts connections.
    package init(_ configuration: Configuration = Configuration()) async throws {
        let backend = try Backend(settings: configuration.settings, bookPath: configuration.bookPath)
        let control = StripeControl(backend, deliversWebhooks: configuration.deliversWebhooks)
        let connections = NIOLockedValueBox<[ObjectIdentifier: any Channel]>([:])
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { child in
                Self.keep(child, in: connections)
                return child.eventLoop.makeCompletedFuture {
                    try child.pipeline.syncOperations.configureHTTPServerPipeline()
                    try child.pipeline.syncOperations.addHandler(ConnectionHandler(backend, control))
                }
            }
            .bind(host: "127.0.0.1", port: configuration.port).get()
        port = channel.localAddress?.port ?? 0
        address = "http://127.0.0.1:\(port)"
        backend.setBaseURL(address)
        self.control = control
        self.connections = connections
    }

    /// Closes the listener and all connections.
    package func stop() async {
        try? await channel.close()
        for connection in connections.withLockedValue({ Array($0.values) }) {
            try? await connection.close()
        }
    }

    private static func keep(
        _ child: any Channel,
        in connections: NIOLockedValueBox<[ObjectIdentifier: any Channel]>
    ) {
        let id = ObjectIdentifier(child)
        connections.withLockedValue { $0[id] = child }
        child.closeFuture.whenComplete { _ in connections.withLockedValue { $0[id] = nil } }
    }
}
