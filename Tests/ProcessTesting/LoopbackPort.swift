import NIOCore
import NIOPosix

/// Ports of the loopback interface.
package enum LoopbackPort {
    /// A port on which nothing listens.
    package static func free() async throws -> Int {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = channel.localAddress?.port
        try await channel.close().get()
        guard let port else {
            throw ChannelError.unknownLocalAddress
        }
        return port
    }
}
