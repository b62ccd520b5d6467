import Glibc
import TillStripe

/// Where webhooks arrive: only on this machine, because Stripe's requests come through the operator's reverse proxy, which
/// ends their TLS.
package enum WebhookAddress: Hashable, Sendable, CustomStringConvertible {
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
