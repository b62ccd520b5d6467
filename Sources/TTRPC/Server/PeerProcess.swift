import CSystemCalls
import NIOCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The process that connected, and its user's groups, held so that whether it is still there can be told.
///
/// What is read of a process by its number may be another's that got the number since: believe it only if the process
/// still runs after it was read.
package final class PeerProcess: Sendable {
    /// Whether the process was found by its number alone, for want of a newer kernel: it may have been another's already.
    package let isFoundByNumber: Bool
    /// Whether the kernel lets processes be held: not before Linux 5.3, where a filter of system calls forbids it, or one
    /// of another process name space that was to be found by number.
    package let isHeld: Bool
    /// The supplementary groups when it connected.
    package let groups: [UInt32]
    private let number: Int32
    private let descriptor: CInt

    /// Of the peer of a Unix socket; nil when its process is gone, or the kernel says nothing of its groups.
    init?(socket: CInt, number: Int32) {
        var isFoundByNumber = false
        let descriptor = unsafe till_peer_process(socket, number, &isFoundByNumber)
        let isHeld = descriptor >= 0
        guard isHeld || isFoundByNumber && Self.forbidden.contains(errno) else {
            return nil
        }
        let groups = Self.groups(socket)
        guard groups != nil || !isHeld else {
            close(descriptor)
            return nil
        }
        self.isFoundByNumber = isFoundByNumber
        self.isHeld = isHeld
        self.groups = groups ?? []
        self.number = number
        self.descriptor = descriptor
    }

    /// The process at the other end of a connection that is accepted; on its event loop.
    static func behind(_ channel: any Channel, number: Int32) throws -> PeerProcess? {
        try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable { (socket: NIOBSDSocket.Handle) in
            PeerProcess(socket: socket, number: number)
        } ?? nil
    }

    deinit {
        if isHeld { close(descriptor) }
    }

    /// Whether it still runs; of one that is not held, whether one of its number does.
    package var isRunning: Bool {
        guard isHeld else { return kill(number, 0) == 0 || errno == EPERM }
        return till_process_runs(descriptor)
    }

    /// What says that no process can be held here, rather than that this one is gone (pidfd_open(2)).
    private static let forbidden: Set<CInt> = [ENOSYS, EPERM, EINVAL]

    /// At most as many groups as a process can have (credentials(7)).
    private static func groups(_ socket: CInt) -> [UInt32]? {
        var groups = [UInt32](repeating: 0, count: 32)
        while true {
            var length = socklen_t(groups.count * MemoryLayout<UInt32>.stride)
            if unsafe getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, &groups, &length) == 0 {
                return Array(groups.prefix(Int(length) / MemoryLayout<UInt32>.stride))
            }
            guard errno == ERANGE, groups.count < groupsMaximum else {
                return nil
            }
            groups = [UInt32](repeating: 0, count: groupsMaximum)
        }
    }

    private static let groupsMaximum = 65536
}
