import NIOCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The peer's credentials in the layout of the kernel's `struct ucred`, which Glibc does not expose to Swift.
struct PeerCredentials: Sendable {
    let pid: Int32
    let uid: UInt32
    let gid: UInt32

    /// Asks the kernel which process connected to a Unix socket.
    static func read(from channel: any Channel) -> EventLoopFuture<PeerCredentials> {
        guard let provider = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
        }
        return provider.unsafeGetSocketOption(level: .socket, name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
    }
}

extension Peer {
    init(_ credentials: PeerCredentials, connectionID: UInt64) {
        self.init(
            uid: credentials.uid,
            gid: credentials.gid,
            pid: credentials.pid,
            connectionID: connectionID
        )
    }
}
