import FoundationEssentials
import TillEngine

/// What survives a crash of the daemon: the ledger as of the last flush.
// One thread runs a simulation, so that nothing here is touched by two at once.
final class Disk: @unchecked Sendable {
    /// More than a simulation makes.
    private static let chargesMaximum = 10_000

    var durable: MemoryLedger
    /// What it was before the last flush.
    var before: MemoryLedger

    init(_ ledger: MemoryLedger) {
        durable = ledger
        before = ledger
    }

    /// Whether the intent of just this charge would survive a crash.
    func holdsCharge(_ request: ChargeRequest) async -> Bool {
        // Among all, for a renewal has no transaction before it is paid for.
        let charges = try? await durable.read { try $0.charges(afterKey: 0, limit: Self.chargesMaximum) }
        return charges?.contains { $0.request == request } ?? false
    }

    /// Whether the intent of just this refund would survive a crash.
    func holdsRefund(_ request: ProviderRefundRequest) async -> Bool {
        let refund = try? await durable.read { try $0.refund(request.refundID) }
        return refund?.amount == request.amount && refund?.currency == request.currency
    }
}
