import Foundation
import Glibc
import NIOConcurrencyHelpers

/// A session's Unix domain socket, in a directory that belongs to its process.
struct PrivateSocket: Sendable {
    /// The number of connections that the kernel queues until they are accepted.
    static let backlog: CInt = 256

    let path: String

    /// Listens at the path, replacing a previous listener.
    ///
    /// - Returns: The descriptor, which the caller must close.
    func listen() throws(SKTestError) -> CInt {
        let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else {
            throw failure()
        }
        // Renamed once it listens, so that the path always exists for clients.
        let temporary = path + ".new"
        guard bind(descriptor, to: temporary) == 0, Glibc.listen(descriptor, Self.backlog) == 0,
            unsafe rename(temporary, path) == 0
        else {
            let error = failure()
            close(descriptor)
            throw error
        }
        return descriptor
    }

    func remove() {
        _ = unsafe unlink(path)
    }

    private func bind(_ descriptor: CInt, to path: String) -> CInt {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) {
            unsafe $0.copyBytes(from: path.utf8.prefix($0.count - 1))
        }
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    private func failure() -> SKTestError {
        SKTestError(.serviceUnavailable, "Cannot listen at \(path): error \(errno).")
    }
}

/// The directory with the sockets of this process's sessions. Other users cannot access it, and it is deleted when the
/// process exits.
final class SocketDirectory: Sendable {
    /// The maximum path length that leaves room in `sockaddr_un` for a socket's number (unix(7)).
    private static let pathMaximumBytes = 80

    private static let shared = NIOLockedValueBox<SocketDirectory?>(nil)

    private let path: String
    private let count = NIOLockedValueBox(0)

    private init(path: String) {
        self.path = path
    }

    /// Returns a path in the directory that no session has used.
    static func newPath() throws(SKTestError) -> String {
        let made = shared.withLockedValue { shared in
            shared = shared ?? make()
            return shared
        }
        guard let directory = made else {
            throw SKTestError(.serviceUnavailable, "Cannot create a directory for sockets.")
        }
        let number = directory.count.withLockedValue { count in
            count += 1
            return count
        }
        return "\(directory.path)/\(number)"
    }

    private static func make() -> SocketDirectory? {
        let name = "till-\(UUID().uuidString.prefix(8).lowercased())"
        let path = FileManager.default.temporaryDirectory.appending(path: name).path
        // The path in /tmp is short enough.
        let directory = SocketDirectory(path: path.utf8.count <= pathMaximumBytes ? path : "/tmp/\(name)")
        guard unsafe mkdir(directory.path, 0o700) == 0 else {
            return nil
        }
        atexit { SocketDirectory.removeShared() }
        return directory
    }

    /// Sessions may outlive `main`, so their sockets are removed here too.
    private static func removeShared() {
        guard let directory = shared.withLockedValue({ $0 }) else {
            return
        }
        try? FileManager.default.removeItem(atPath: directory.path)
    }
}
