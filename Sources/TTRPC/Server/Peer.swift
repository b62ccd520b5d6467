/// The identity of the process that connected, as reported by the kernel (SO_PEERCRED).
public struct Peer: Hashable, Sendable {
    /// The user id of the process that connected.
    public var uid: UInt32
    /// The group id of the process that connected.
    public var gid: UInt32
    /// The id of the process that connected. The process may have exited and its id may have been reused.
    public var pid: Int32
    /// Identifies the connection; unique within this server.
    public var connectionID: UInt64

    /// Creates a peer.
    public init(uid: UInt32, gid: UInt32, pid: Int32, connectionID: UInt64) {
        self.uid = uid
        self.gid = gid
        self.pid = pid
        self.connectionID = connectionID
    }
}
