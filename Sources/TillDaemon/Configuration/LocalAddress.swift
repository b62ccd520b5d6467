import Glibc
import Logging
import TillHTTP
import TillModel

/// A place on this machine at which the daemon listens for HTTP: other machines reach it only through a reverse proxy, which
/// ends their TLS.
package enum LocalAddress: Hashable, Sendable, CustomStringConvertible {
    /// The path of a Unix socket.
    case socket(String)
    /// A numeric address of the loopback interface.
    case loopback(String, port: Int)

    static let rule = "unix:PATH, 127.0.0.1:PORT or [::1]:PORT, which only this machine can reach"

    /// Nil for any other text, and for an address that other machines could reach.
    init?(_ text: String) {
        if text.hasPrefix("unix:/") {
            self = .socket(String(text.dropFirst("unix:".count)))
            return
        }
        guard let colon = text.lastIndex(of: ":"), let port = Self.port(text[text.index(after: colon)...]) else {
            return nil
        }
        let host = text[..<colon]
        if host == "[::1]" {
            self = .loopback("::1", port: port)
        } else if Self.isLoopback(host) {
            self = .loopback(String(host), port: port)
        } else {
            return nil
        }
    }

    package var description: String {
        switch self {
        case .socket(let path): "unix:\(path)"
        case .loopback("::1", let port): "[::1]:\(port)"
        case .loopback(let host, let port): "\(host):\(port)"
        }
    }

    private static func port(_ text: Substring) -> Int? {
        guard text.utf8.count <= 5, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(text),
            (1...65_535).contains(port)
        else {
            return nil
        }
        return port
    }

    /// Whether it is a dotted address of 127.0.0.0/8. Names are not resolved: they could lead elsewhere tomorrow.
    private static func isLoopback(_ host: Substring) -> Bool {
        var address = in_addr()
        return unsafe inet_pton(AF_INET, String(host), &address) == 1 && address.s_addr.bigEndian >> 24 == 127
    }
}

/// A local address at which the daemon listens.
struct LocalListener: Sendable {
    let place: ListeningPlace
    /// The socket, whose name is to be removed; nil for an address of the loopback interface.
    private let socket: ListeningSocket?

    /// Makes the socket of a path.
    ///
    /// - Parameter isOpenToOthers: Whether users besides the daemon's own may connect to a socket.
    /// - Throws: `failedPrecondition` with the obstacle.
    init(_ address: LocalAddress, isOpenToOthers: Bool, logger: Logger) throws(TillError) {
        switch address {
        case .socket(let path):
            let socket = try ListeningSocket(path: path, isOpenToOthers: isOpenToOthers)
            if isOpenToOthers, let directory = socket.directoryClosedToOthers {
                logger.warning(
                    "Other users cannot reach a socket: let them traverse its directory",
                    metadata: ["socket.path": "\(path)", "socket.directory": "\(directory)"]
                )
            }
            self.socket = socket
            place = .descriptor(socket.descriptor)
        case .loopback(let host, let port):
            socket = nil
            place = .address(host, port: port)
        }
    }

    func remove() {
        socket?.remove()
    }
}
