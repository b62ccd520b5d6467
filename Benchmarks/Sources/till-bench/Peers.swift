/// All that can be measured.
enum Peers {
    /// Those that are measured always.
    static func till(_ options: BenchOptions) -> [any Peer] {
        [
            TillPeer(program: options.tilld, catalogue: options.catalogue, holdsCharges: true),
            TillPeer(program: options.tilld, catalogue: options.catalogue, holdsCharges: false),
        ]
    }

    /// Those that `--peers` names.
    static func others(_ options: BenchOptions) -> [any Peer] {
        [
            RedisPeer(), PostgresPeer(), BeanstalkdPeer(), NATSPeer(),
            SQLitePeer(tilld: options.tilld, catalogue: options.catalogue),
            GoPeer(client: .load), GoPeer(client: .go), GRPCPeer(), DBusPeer(), FloorPeer(),
        ]
    }

    /// What those are called.
    static let names = [
        "redis", "postgresql", "beanstalkd", "nats", "sqlite", "go-ttrpc", "go-ttrpc-go", "grpc-swift", "dbus", "floor",
    ]
}
