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
    /// Why a process cannot be held or watched.
    package enum Failure: Error, Hashable {
        /// The process has ended.
        case ended
        /// The kernel does not say; the error proves nothing about the process.
        case unknown(errno: CInt)
    }

    /// Whether the process was found by its number alone, for lack of a newer kernel: it may have been another's already.
    package let isFoundByNumber: Bool
    /// Whether the kernel lets processes be held: not before Linux 5.3, where a filter of system calls forbids it, or one
    /// of another process name space that was to be found by number.
    package let isHeld: Bool
    /// The supplementary groups when it connected.
    package let groups: [UInt32]
    private let number: Int32
    private let descriptor: CInt

    /// Holds the process at the other end of a Unix socket.
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

    /// The process at the other end of a connection that is accepted; on its event loop.
    ///
    /// - Throws: What NIO says of a channel without a socket; the result has the kernel's answer.
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

    /// Checks that the process still runs; of one that is not held, that one of its number does.
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

    /// What an error of SO_PEERPIDFD or pidfd_open(2) says. Which number proves that the process has ended depends on the
    /// kernel's version; no other number proves it.
    static func failure(ofHolding code: CInt) -> Failure {
        [ESRCH, EINVAL, ENODATA].contains(code) ? .ended : .unknown(errno: code)
    }

    /// What says that no process can be held here, rather than that this one is gone (pidfd_open(2)).
    private static let forbidden: Set<CInt> = [ENOSYS, EPERM, EINVAL]

    /// At most as many groups as a process can have (credentials(7)).
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
