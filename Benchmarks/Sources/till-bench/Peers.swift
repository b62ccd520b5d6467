/// All programs that can be measured.
enum Peers {
    /// The peers that are always measured.
    static func till(_ options: BenchOptions) -> [any Peer] {
        let tilld = Tilld(options)
        return [
            TillPeer(tilld: tilld, holdsCharges: true), TillPeer(tilld: tilld, holdsCharges: false),
            SwiftClientPeer(tilld: tilld, library: .tillClient), SwiftClientPeer(tilld: tilld, library: .storeKit),
        ]
    }

    /// The peers that `--peers` names.
    static func others(_ options: BenchOptions) -> [any Peer] {
        [
            RedisPeer(), PostgresPeer(), BeanstalkdPeer(), NATSPeer(),
            SQLitePeer(tilld: Tilld(options)),
            GoPeer(client: .load), GoPeer(client: .go), GRPCPeer(), DBusPeer(), FloorPeer(),
        ]
    }

    /// The names that `--peers` accepts.
    static let names = [
        "redis", "postgresql", "beanstalkd", "nats", "sqlite", "go-ttrpc", "go-ttrpc-go", "grpc-swift", "dbus", "floor",
    ]
}
