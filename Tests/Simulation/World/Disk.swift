import TillEngine

/// What survives a crash of the daemon: the ledger as of the last flush.
// One thread runs a simulation, so that nothing here is touched by two at once.
final class Disk: @unchecked Sendable {
    var durable: MemoryLedger

    init(_ ledger: MemoryLedger) {
        durable = ledger
    }
}
