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
            RedisPeer(), PostgresPeer(), BeanstalkdPeer(), NATSPeer(), GoPeer(client: .load), GoPeer(client: .go),
            GRPCPeer(), FloorPeer(), SQLitePeer(tilld: options.tilld, catalogue: options.catalogue),
        ]
    }

    static var names: [String] {
        ["redis", "postgresql", "beanstalkd", "nats", "go-ttrpc", "go-ttrpc-go", "grpc-swift", "floor", "sqlite"]
    }
}
