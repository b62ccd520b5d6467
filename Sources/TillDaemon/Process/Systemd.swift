import Glibc
import TillModel

/// What the daemon and the service manager that started it say to each other (sd_listen_fds(3), sd_notify(3)).
package struct Systemd: Sendable {
    /// A state of the daemon.
    enum State: String {
        case ready = "READY=1"
        case stopping = "STOPPING=1"
    }

    /// The first descriptor that a service manager passes.
    static let firstDescriptor: CInt = 3

    private let environment: [String: String]
    private let first: CInt

    package init(environment: [String: String]) {
        self.init(environment: environment, first: Self.firstDescriptor)
    }

    init(environment: [String: String], first: CInt) {
        self.environment = environment
        self.first = first
    }

    /// The listening socket that the service manager passed to this process; nil if it passed none.
    ///
    /// - Parameter path: Where the daemon is to listen.
    /// - Throws: `failedPrecondition` for anything but one listening Unix socket at the path.
    func socket(at path: String) throws(TillError) -> CInt? {
        // A program that the manager's process started inherits the variables, but not the sockets.
        guard environment["LISTEN_PID"] == "\(getpid())", let count = environment["LISTEN_FDS"], count != "0" else {
            return nil
        }
        guard count == "1" else {
            throw TillError(
                .failedPrecondition,
                "The service manager passed \(count) sockets: pass one, in tilld.socket."
            )
        }
        let found = try Self.path(ofListening: first)
        guard found == path else {
            throw TillError(
                .failedPrecondition,
                "The service manager passed the socket \(found), but --socket is \(path): name the same path in both."
            )
        }
        guard fcntl(first, F_SETFD, FD_CLOEXEC) == 0, fcntl(first, F_SETFL, O_NONBLOCK) == 0 else {
            throw .systemCall("Cannot use the socket that the service manager passed")
        }
        return first
    }

    private static func path(ofListening descriptor: CInt) throws(TillError) -> String {
        guard option(SO_TYPE, of: descriptor) == CInt(SOCK_STREAM.rawValue),
            option(SO_ACCEPTCONN, of: descriptor) == 1, let path = UnixAddress.path(of: descriptor)
        else {
            throw TillError(
                .failedPrecondition,
                "The service manager passed no listening Unix socket: see tilld.socket."
            )
        }
        return path
    }

    private static func option(_ name: CInt, of descriptor: CInt) -> CInt? {
        var value: CInt = 0
        var length = socklen_t(MemoryLayout<CInt>.size)
        return unsafe getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }

    /// Tells the service manager the daemon's state, if it wants to know. It misses nothing else if that fails.
    func notify(_ state: State) {
        guard var name = environment["NOTIFY_SOCKET"], name.hasPrefix("/") || name.hasPrefix("@") else {
            return
        }
        if name.hasPrefix("@") {
            name = "\0" + name.dropFirst()
        }
        let descriptor = Glibc.socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else {
            return
        }
        defer { close(descriptor) }
        let message = Array(state.rawValue.utf8)
        _ = try? unsafe UnixAddress.with(name) { address, length in
            unsafe CInt(sendto(descriptor, message, message.count, CInt(MSG_NOSIGNAL), address, length))
        }
    }
}
