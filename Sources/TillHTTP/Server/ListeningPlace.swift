package import NIOCore
package import NIOPosix

/// Where a server listens.
package enum ListeningPlace: Hashable, Sendable {
    /// A Unix socket that listens already. The server closes it.
    case descriptor(CInt)
    /// A numeric address of this machine.
    case address(String, port: Int)
}

extension ServerBootstrap {
    /// Connections that wait until they are accepted at an address.
    private static let waitingMaximum: Int32 = 64

    /// A server with at most so many open connections. Others wait in the backlog.
    package static func bounded(on group: any EventLoopGroup, connectionsMaximum maximum: Int) -> ServerBootstrap {
        ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: waitingMaximum)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            // Accept one connection at a time, so that no more are accepted than the maximum.
            .serverChannelOption(.maxMessagesPerRead, value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ConnectionGate(maximum: maximum))
                }
            }
    }
}
