/// An invitation to the daemon's operator page.
public struct ConsoleInvitation: Hashable, Sendable {
    /// Where the daemon serves the page: an address such as `127.0.0.1:8481`, or `unix:` and the path of a socket.
    public var address: String
    /// Opens one session of the page. Anyone who has it acts as the operator who asked for it.
    public var secret: String
    /// How long it can be used.
    public var validFor: Duration

    public init(address: String, secret: String, validFor: Duration) {
        self.address = address
        self.secret = secret
        self.validFor = validFor
    }

    /// The address that opens the page in a browser; nil for a socket, to which a port has to be forwarded first.
    public var url: String? {
        address.hasPrefix("unix:") ? nil : "http://\(address)\(path)"
    }

    /// The page's path with the secret, which browsers send to no server.
    public var path: String {
        "/#invitation=\(secret)"
    }
}
