/// Who is at the other end of a connection, as the kernel says (SO_PEERCRED).
public struct Peer: Hashable, Sendable {
    /// The user id of the process that connected.
    public var uid: UInt32
    /// The group id of the process that connected.
    public var gid: UInt32
    /// The id of the process that connected; it may be gone, and its number reused.
    public var pid: Int32
    /// A number that no other connection of this server has.
    public var connectionID: UInt64

    /// Makes a peer.
    public init(uid: UInt32, gid: UInt32, pid: Int32, connectionID: UInt64) {
        self.uid = uid
        self.gid = gid
        self.pid = pid
        self.connectionID = connectionID
    }
}
