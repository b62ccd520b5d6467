import CSystemCalls
import NIOCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

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

/// A handle on the process that connected, with its supplementary groups. It shows whether the process is still
/// running.
///
/// A process id can be reused. Trust data that was read by process id only if `requireRunning` succeeds afterwards.
package final class PeerProcess: Sendable {
    /// The reason a process cannot be held or watched.
    package enum Failure: Error, Hashable {
        /// The process has exited.
        case ended
        /// The kernel gave no answer; the error proves nothing about the process.
        case unknown(errno: CInt)
    }

    /// Whether the process was found by its id alone because the kernel is too old; the id may already have been
    /// reused.
    package let isFoundByNumber: Bool
    /// Whether a handle on the process is held. It is not before Linux 5.3, if a system call filter forbids it, or if a
    /// process of another PID namespace could only be found by its id.
    package let isHeld: Bool
    /// The process's supplementary groups when it connected.
    package let groups: [UInt32]
    private let number: Int32
    private let descriptor: CInt

    /// Acquires a handle on the process at the other end of a Unix socket.
    init(socket: CInt, number: Int32) throws(Failure) {
        var isFoundByNumber = false
        let descriptor = unsafe till_peer_process(socket, number, &isFoundByNumber)
        let isHeld = descriptor >= 0
        if !isHeld {
            let code = errno
            guard isFoundByNumber && Self.forbidden.contains(code) else {
                throw Self.failure(ofHolding: code)
            }
        }
        do throws(Failure) {
            groups = try Self.groups(socket)
        } catch  where !isHeld {
            groups = []
        } catch {
            close(descriptor)
            throw error
        }
        self.isFoundByNumber = isFoundByNumber
        self.isHeld = isHeld
        self.number = number
        self.descriptor = descriptor
    }

    /// Returns the process at the other end of an accepted connection; call it on the connection's event loop.
    ///
    /// - Throws: NIO's error if the channel has no socket. The kernel's answer is in the result.
    static func behind(_ channel: any Channel, number: Int32) throws -> Result<PeerProcess, Failure> {
        let process = try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable {
            (socket: NIOBSDSocket.Handle) in
            Result { () throws(Failure) in try PeerProcess(socket: socket, number: number) }
        }
        guard let process else { throw ChannelError.operationUnsupported }
        return process
    }

    deinit {
        if isHeld { close(descriptor) }
    }

    /// Checks that the process is still running. Without a handle, checks only that a process with its id is running.
    package func requireRunning() throws(Failure) {
        guard isHeld else {
            guard kill(number, 0) == 0 || errno == EPERM else { throw .ended }
            return
        }
        switch till_process_runs(descriptor) {
        case 0: throw .ended
        case 1: return
        default: throw .unknown(errno: errno)
        }
    }

    /// Interprets an error of SO_PEERPIDFD or pidfd_open(2). Each of these codes means, depending on the kernel
    /// version, that the process has exited; no other code proves it.
    static func failure(ofHolding code: CInt) -> Failure {
        [ESRCH, EINVAL, ENODATA].contains(code) ? .ended : .unknown(errno: code)
    }

    /// The errors that mean that this kernel cannot hold processes, rather than that this process has exited
    /// (pidfd_open(2)).
    private static let forbidden: Set<CInt> = [ENOSYS, EPERM, EINVAL]

    /// Reads the supplementary groups, up to the maximum that a process can have (credentials(7)).
    private static func groups(_ socket: CInt) throws(Failure) -> [UInt32] {
        var groups = [UInt32](repeating: 0, count: 32)
        while true {
            var length = socklen_t(groups.count * MemoryLayout<UInt32>.stride)
            if unsafe getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, &groups, &length) == 0 {
                return Array(groups.prefix(Int(length) / MemoryLayout<UInt32>.stride))
            }
            let code = errno
            guard code == ERANGE, groups.count < groupsMaximum else {
                throw .unknown(errno: code)
            }
            groups = [UInt32](repeating: 0, count: groupsMaximum)
        }
    }

    private static let groupsMaximum = 65536
}
