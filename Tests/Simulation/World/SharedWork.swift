/// Counts what happens only if hosts share a ledger. A run in which nothing of it happens proves nothing about hosts.
package struct SharedWork: Sendable {
    /// Pauses of a daemon.
    var pauses = 0
    /// Turns to commit that a host lost because it was paused.
    var lostTurns = 0
    /// Payments whose charge several hosts asked the provider about.
    var takeovers = 0

    package init() {}

    package mutating func add(_ other: SharedWork) {
        pauses += other.pauses
        lostTurns += other.lostTurns
        takeovers += other.takeovers
    }

    /// The number of events of each kind, with the name of the kind.
    package var counts: [(kind: String, count: Int)] {
        [
            ("pauses", pauses), ("turns lost in a pause", lostTurns),
            ("payments that several hosts asked about", takeovers),
        ]
    }
}
