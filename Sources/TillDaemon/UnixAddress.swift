import Glibc
import TillModel

/// The address of a Unix domain socket (unix(7)).
enum UnixAddress {
    /// The longest path that fits `sockaddr_un` with its final NUL.
    static let pathMaximumBytes = 107

    /// - Parameter path: A path, or the name of a socket without one, which begins with NUL.
    static func with(
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
        // All bytes of a name without a path count, those of a path only up to its NUL.
        let unused = bytes.first == 0 ? pathMaximumBytes + 1 - bytes.count : 0
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size - unused))
            }
        }
    }

    /// The path to which a socket is bound; nil for anything else.
    static func path(of descriptor: CInt) -> String? {
        var address = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isNamed = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isNamed, CInt(address.sun_family) == AF_UNIX else {
            return nil
        }
        let bytes = unsafe withUnsafeBytes(of: &address.sun_path) { unsafe $0.prefix { $0 != 0 }.map(\.self) }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
