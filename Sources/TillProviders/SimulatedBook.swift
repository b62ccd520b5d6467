import FoundationEssentials
import TillEngine
import TillModel

/// The simulated provider's record in memory: what it carried out, and under which identities.
struct SimulatedBook: Sendable {
    /// How long the provider remembers an identity, if it forgets any.
    static let memory: TimeInterval = 24 * 3600

    /// In the order of the record.
    private(set) var charges: [SimulatedCharge] = []
    private var places: [UUID: [Int]] = [:]
    private var refunds: [UUID: [SimulatedRefund]] = [:]
    private var refunded: [UUID: Int64] = [:]

    init(_ entries: [SimulatedEntry] = []) {
        entries.forEach { add($0) }
    }

    mutating func add(_ entry: SimulatedEntry) {
        switch entry {
        case .charge(let charge):
            places[charge.paymentID, default: []].append(charges.count)
            charges.append(charge)
        case .refund(let refund):
            refunds[refund.refundID, default: []].append(refund)
            refunded[refund.paymentID, default: 0] &+= refund.amount
        }
    }

    /// The newest charge for the payment.
    func charge(_ paymentID: UUID) -> SimulatedCharge? {
        places[paymentID]?.last.map { charges[$0] }
    }

    func count(_ key: SimulatedEntry.Key) -> Int {
        switch key {
        case .payment(let id): places[id]?.count ?? 0
        case .refund(let id): refunds[id]?.count ?? 0
        }
    }

    /// The newest entry of that identity that the provider still knows.
    ///
    /// - Parameter forgetsSince: Older ones are forgotten; nil when it forgets nothing.
    func entry(_ key: SimulatedEntry.Key, forgetsSince date: Date?) -> SimulatedEntry? {
        let since = date?.millisecondsSince1970 ?? .min
        switch key {
        case .payment(let id):
            return charge(id).flatMap { ($0.chargedAt ?? .min) >= since ? .charge($0) : nil }
        case .refund(let id):
            return refunds[id]?.last.flatMap { $0.refundedAt >= since ? .refund($0) : nil }
        }
    }

    /// Minor units that are left of all charges for the payment.
    func left(of paymentID: UUID) -> Int64 {
        let charged = (places[paymentID] ?? []).reduce(0) { $0 &+ charges[$1].amount }
        return charged &- (refunded[paymentID] ?? 0)
    }

    /// The charges as a comparison with the ledger needs them; what was given back counts for a payment's first charge.
    func providerCharges(from offset: Int, limit: Int) -> [ProviderCharge] {
        charges.indices.dropFirst(max(0, offset)).prefix(max(0, limit)).map(providerCharge)
    }

    private func providerCharge(at index: Int) -> ProviderCharge {
        let charge = charges[index]
        let isFirst = places[charge.paymentID]?.first == index
        return ProviderCharge(
            paymentID: charge.paymentID,
            amount: charge.amount,
            currency: charge.currency,
            reference: charge.reference,
            refunded: isFirst ? refunded[charge.paymentID] ?? 0 : 0
        )
    }
}
