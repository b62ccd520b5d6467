import Foundation
import Glibc
package import TillModel

/// The daemon's Unix domain socket.
///
/// The socket is bound under a temporary name, gets its mode, and is renamed when it listens, so that clients never see a
/// socket that is not ready. It replaces an existing socket only if no process serves that one.
///
/// Or systemd made it, and keeps it while one daemon replaces another: clients that connect in between wait.
package struct ListeningSocket: Sendable {
    /// The number of connections that the kernel queues until they are accepted. It is the kernel's default maximum
    /// (net.core.somaxconn), because the kernel refuses further connections of any client.
    static let backlog: CInt = 4096
    /// The suffix of the name under which the socket is bound.
    private static let temporarySuffix = ".new"

    package let descriptor: CInt
    /// The name to which clients connect.
    let name: WatchedFile
    private let path: String
    /// Whether systemd made the socket, and removes it.
    private let isPassed: Bool
    /// Prevents other daemons from using the path.
    private let lock: FileLock

    /// - Parameter isOpenToOthers: Whether users besides the daemon's own may connect.
    /// - Throws: `failedPrecondition` with the obstacle.
    package init(path: String, isOpenToOthers: Bool) throws(TillError) {
        let temporary = path + Self.temporarySuffix
        guard temporary.utf8.count <= UnixAddress.pathMaximumBytes else {
            throw TillError(
                .failedPrecondition,
                "The socket's path must be at most \(UnixAddress.pathMaximumBytes - Self.temporarySuffix.utf8.count) bytes: \(path)"
            )
        }
        try Self.makeDirectory(of: path, isOpenToOthers: isOpenToOthers)
        self.path = path
        isPassed = false
        lock = try FileLock(path: path + ".lock", protecting: "The socket \(path)")
        try Self.checkNobodyServes(path)
        descriptor = try Self.bind(to: temporary, mode: isOpenToOthers ? 0o666 : 0o600)
        guard unsafe rename(temporary, path) == 0 else {
            throw .systemCall("Cannot put the socket at \(path)")
        }
        name = try WatchedFile(path, "The socket")
    }

    /// - Parameter passed: The descriptor of a socket that systemd made at the path.
    /// - Throws: `failedPrecondition` with the obstacle.
    init(path: String, passed descriptor: CInt) throws(TillError) {
        self.path = path
        self.descriptor = descriptor
        isPassed = true
        lock = try FileLock(path: path + ".lock", protecting: "The socket \(path)")
        name = try WatchedFile(path, "The socket")
    }

    /// Removes the socket's name, if the daemon made it. The descriptor belongs to the server.
    package func remove() {
        name.release()
        if !isPassed {
            _ = unsafe unlink(path)
        }
    }

    /// The socket's directory if only the daemon's own user can traverse it; nil otherwise.
    package var directoryClosedToOthers: String? {
        let directory = Self.directory(of: path)
        var status = stat()
        // The owner of a directory that its group can traverse has chosen the group's members.
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
        // The umask may have removed the permission of others to traverse the directory.
        guard unsafe isMade ? chmod(directory, mode) == 0 : errno == EEXIST else {
            throw .systemCall("Cannot create the socket's directory \(directory)")
        }
    }

    private static func checkNobodyServes(_ path: String) throws(TillError) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            guard errno == ENOENT else {
                throw .systemCall("Cannot examine \(path)")
            }
            return
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw TillError(.failedPrecondition, "\(path) exists and is not a socket: name another path.")
        }
        let descriptor = try makeSocket()
        defer { close(descriptor) }
        if try unsafe UnixAddress.with(path, { unsafe connect(descriptor, $0, $1) }) == 0 {
            throw TillError(.failedPrecondition, "The socket \(path) is served by another process: stop it first.")
        }
        guard errno == ECONNREFUSED || errno == ENOENT else {
            throw .systemCall("Cannot tell whether a process serves \(path)")
        }
    }

    private static func bind(to path: String, mode: mode_t) throws(TillError) -> CInt {
        _ = unsafe unlink(path)
        let descriptor = try makeSocket()
        guard try unsafe UnixAddress.with(path, { unsafe Glibc.bind(descriptor, $0, $1) }) == 0 else {
            let code = errno
            close(descriptor)
            throw .systemCall("Cannot create the socket \(path)", errno: code)
        }
        // No client can connect before the socket listens, so it gets its mode after it is bound.
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
            throw .systemCall("Cannot create a socket")
        }
        return descriptor
    }
}
