/// Where a server listens.
package enum ListeningPlace: Hashable, Sendable {
    /// A Unix socket that listens already. The server closes it.
    case descriptor(CInt)
    /// A numeric address of this machine.
    case address(String, port: Int)
}
