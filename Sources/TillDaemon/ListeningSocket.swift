import Foundation
import Glibc
package import TillModel

/// The daemon's Unix domain socket, from before anyone can see it until it is gone.
///
/// It is bound under another name, given its mode, and renamed when it listens: nobody meets a socket that is not
/// ready. Only a socket that nobody serves any more is replaced.
package struct ListeningSocket: Sendable {
    /// Connections that the kernel keeps until they are accepted: as many as it lets any socket have by default, for what
    /// does not fit is refused, from any client (net.core.somaxconn).
    static let backlog: CInt = 4096
    /// What fits `sockaddr_un` with its final NUL (unix(7)).
    static let pathMaximumBytes = 107
    /// Of the name that the socket is bound under.
    private static let temporarySuffix = ".new"

    package let descriptor: CInt
    /// The name that clients connect by.
    let name: WatchedFile
    private let path: String
    /// Keeps other daemons from the path.
    private let lock: FileLock

    /// - Parameter isOpenToOthers: Whether users besides the daemon's own may connect.
    /// - Throws: `failedPrecondition` that says what is in the way.
    package init(path: String, isOpenToOthers: Bool) throws(TillError) {
        let temporary = path + Self.temporarySuffix
        guard temporary.utf8.count <= Self.pathMaximumBytes else {
            throw TillError(
                .failedPrecondition,
                "The socket's path is longer than \(Self.pathMaximumBytes - Self.temporarySuffix.utf8.count) bytes: \(path)"
            )
        }
        try Self.makeDirectory(of: path, isOpenToOthers: isOpenToOthers)
        self.path = path
        lock = try FileLock(path: path + ".lock", protecting: "The socket \(path)")
        try Self.checkNobodyServes(path)
        descriptor = try Self.bind(to: temporary, mode: isOpenToOthers ? 0o666 : 0o600)
        guard unsafe rename(temporary, path) == 0 else {
            throw .systemCall("Cannot put the socket at \(path)")
        }
        name = try WatchedFile(path, "The socket")
    }

    /// Takes the socket's name away. The descriptor belongs to the server.
    package func remove() {
        name.release()
        _ = unsafe unlink(path)
    }

    /// The socket's directory, if it lets no users through besides the daemon's own.
    package var directoryClosedToOthers: String? {
        let directory = Self.directory(of: path)
        var status = stat()
        // Of a directory that its group may pass, who belongs to that group is its owner's choice.
        guard unsafe stat(directory, &status) == 0, status.st_mode & 0o011 == 0 else {
            return nil
        }
        return directory
    }

    private static func directory(of path: String) -> String {
        URL(filePath: path).deletingLastPathComponent().path
    }

    private static func makeDirectory(of path: String, isOpenToOthers: Bool) throws(TillError) {
        let directory = directory(of: path)
        let mode: mode_t = isOpenToOthers ? 0o755 : 0o700
        let isMade = unsafe mkdir(directory, mode) == 0
        // A umask may have taken from others what lets them through.
        guard unsafe isMade ? chmod(directory, mode) == 0 : errno == EEXIST else {
            throw .systemCall("Cannot make the socket's directory \(directory)")
        }
    }

    private static func checkNobodyServes(_ path: String) throws(TillError) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            guard errno == ENOENT else {
                throw .systemCall("Cannot look at \(path)")
            }
            return
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw TillError(.failedPrecondition, "\(path) exists and is no socket; name another path.")
        }
        let descriptor = try makeSocket()
        defer { close(descriptor) }
        if try unsafe withAddress(path, { unsafe connect(descriptor, $0, $1) }) == 0 {
            throw TillError(.failedPrecondition, "The socket \(path) is served by another process; stop that first.")
        }
        guard errno == ECONNREFUSED || errno == ENOENT else {
            throw .systemCall("Cannot tell whether anyone serves \(path)")
        }
    }

    private static func bind(to path: String, mode: mode_t) throws(TillError) -> CInt {
        _ = unsafe unlink(path)
        let descriptor = try makeSocket()
        guard try unsafe withAddress(path, { unsafe Glibc.bind(descriptor, $0, $1) }) == 0 else {
            let code = errno
            close(descriptor)
            throw .systemCall("Cannot make the socket \(path)", errno: code)
        }
        // Nobody can connect before it listens, so that its mode may come after it.
        guard unsafe chmod(path, mode) == 0, listen(descriptor, backlog) == 0 else {
            let code = errno
            close(descriptor)
            throw .systemCall("Cannot listen at \(path)", errno: code)
        }
        return descriptor
    }

    private static func makeSocket() throws(TillError) -> CInt {
        let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else {
            throw .systemCall("Cannot make a socket")
        }
        return descriptor
    }

    private static func withAddress(
        _ path: String,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
    ) throws(TillError) -> CInt {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count <= pathMaximumBytes else {
            throw TillError(.failedPrecondition, "The socket's path is too long: \(path)")
        }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
