import FoundationEssentials
import TillEngine

/// What survives a crash of the daemon: the ledger as of the last flush.
// One thread runs a simulation, so that nothing here is touched by two at once.
final class Disk: @unchecked Sendable {
    var durable: MemoryLedger
    /// What it was before the last flush.
    var before: MemoryLedger

    init(_ ledger: MemoryLedger) {
        durable = ledger
        before = ledger
    }

    /// Whether the intent of just this charge would survive a crash.
    func holdsCharge(_ request: ChargeRequest) async -> Bool {
        let id = request.paymentID
        let charge = try? await durable.read { ledger in
            try ledger.transaction(id).flatMap { try ledger.charge(forTransaction: $0.key) }
        }
        return charge?.request == request
    }
}
