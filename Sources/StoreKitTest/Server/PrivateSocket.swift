import Glibc

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
