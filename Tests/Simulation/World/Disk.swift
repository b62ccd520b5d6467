import FoundationEssentials
import TillEngine
import TillMemoryLedger

/// The data that survives a crash of the daemon: the ledger as of the last flush.
// One thread runs the whole simulation, so no two threads access this.
final class Disk: @unchecked Sendable {
    /// More charges than any simulation makes.
    private static let chargesMaximum = 10_000

    var durable: MemoryLedger
    /// The ledger before the last flush.
    var before: MemoryLedger
    /// How many commits each host has made.
    private var commits: [Int: Int64] = [:]
    /// Those who look for commits of other hosts, by their hosts.
    private var lookers: [Int: Looker] = [:]
    let turns: Turns

    private struct Looker {
        var isConcerned: @Sendable ([Int64]?) -> Bool
        var look: AsyncStream<Void>.Continuation
    }

    init(_ ledger: MemoryLedger, scheduler: Scheduler) {
        turns = Turns(scheduler: scheduler)
        durable = ledger
        before = ledger
    }

    /// Makes a commit of a host durable.
    func store(_ ledger: MemoryLedger, by host: Int) {
        before = durable
        durable = ledger
        commits[host, default: 0] += 1
        let changed = durable.queuesChanged(since: before)
        for (other, looker) in lookers.sorted(by: { $0.key < $1.key }) where other != host {
            if looker.isConcerned(changed) {
                looker.look.yield()
            }
        }
    }

    /// How many commits other hosts have made.
    func commits(besides host: Int) -> Int64 {
        commits.reduce(0) { $0 + ($1.key == host ? 0 : $1.value) }
    }

    /// Says when other hosts have committed what concerns this one, from now on.
    func looks(by host: Int, if isConcerned: @escaping @Sendable ([Int64]?) -> Bool) -> AsyncStream<Void> {
        let (looks, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield()
        lookers[host] = Looker(isConcerned: isConcerned, look: continuation)
        return looks
    }

    func stopLooking(_ host: Int) {
        lookers.removeValue(forKey: host)?.look.finish()
    }

    /// Whether the intent of exactly this charge would survive a crash.
    ///
    /// - Parameter reference: The name that it was prepared under; nil if it was not prepared.
    func holdsCharge(_ request: ChargeRequest, by reference: String?) async -> Bool {
        // This searches all charges, because a renewal has no transaction until it is paid for.
        let charges = try? await durable.read { try $0.charges(afterKey: 0, limit: Self.chargesMaximum) }
        return charges?.contains { $0.request == request && (reference == nil || $0.reference == reference) } ?? false
    }

    /// Whether the charge with this name is open, and so not in review.
    func hasOpenCharge(_ reference: String) async -> Bool {
        let charges = try? await durable.read { try $0.charges(afterKey: 0, limit: Self.chargesMaximum) }
        return charges?.contains { $0.reference == reference && $0.state == .open } ?? false
    }

    /// Whether the intent of exactly this refund would survive a crash.
    func holdsRefund(_ request: ProviderRefundRequest) async -> Bool {
        let refund = try? await durable.read { try $0.refund(request.refundID) }
        return refund?.amount == request.amount && refund?.currency == request.currency
    }
}
