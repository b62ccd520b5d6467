/// All that can be measured.
enum Peers {
    /// Those that are measured always.
    static func till(_ options: BenchOptions) -> [any Peer] {
        let tilld = Tilld(options)
        return [
            TillPeer(tilld: tilld, holdsCharges: true), TillPeer(tilld: tilld, holdsCharges: false),
            SwiftClientPeer(tilld: tilld, library: .tillClient), SwiftClientPeer(tilld: tilld, library: .storeKit),
        ]
    }

    /// Those that `--peers` names.
    static func others(_ options: BenchOptions) -> [any Peer] {
        [
            RedisPeer(), PostgresPeer(), BeanstalkdPeer(), NATSPeer(),
            SQLitePeer(tilld: Tilld(options)),
            GoPeer(client: .load), GoPeer(client: .go), GRPCPeer(), DBusPeer(), FloorPeer(),
        ]
    }

    /// What those are called.
    static let names = [
        "redis", "postgresql", "beanstalkd", "nats", "sqlite", "go-ttrpc", "go-ttrpc-go", "grpc-swift", "dbus", "floor",
    ]
}
