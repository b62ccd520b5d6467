package import FoundationEssentials
import TillEngine
import TillModel

/// The simulated provider's record in memory: the charges and refunds that it carried out, by identity.
package struct SimulatedBook: Sendable {
    /// How long the provider remembers an identity, if it forgets any.
    static let memory: TimeInterval = 24 * 3600

    /// In the order of the record.
    package private(set) var charges: [SimulatedCharge] = []
    private var places: [UUID: [Int]] = [:]
    private var refunds: [UUID: [SimulatedRefund]] = [:]
    private var refunded: [UUID: Int64] = [:]

    package init(_ entries: [SimulatedEntry] = []) {
        entries.forEach { add($0) }
    }

    package mutating func add(_ entry: SimulatedEntry) {
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
    package func charge(_ paymentID: UUID) -> SimulatedCharge? {
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
    /// - Parameter forgetsSince: Older entries are forgotten; nil when none are.
    package func entry(_ key: SimulatedEntry.Key, forgetsSince date: Date?) -> SimulatedEntry? {
        let since = date?.millisecondsSince1970 ?? .min
        switch key {
        case .payment(let id):
            return charge(id).flatMap { ($0.chargedAt ?? .min) >= since ? .charge($0) : nil }
        case .refund(let id):
            return refunds[id]?.last.flatMap { $0.refundedAt >= since ? .refund($0) : nil }
        }
    }

    /// The entry that carries the call out; nil for a refund of more than is left of the charge.
    ///
    /// - Parameter reserved: Minor units of the charge that other refunds will take.
    package func entry(for call: SimulatedCall, at date: Date, reserved: Int64 = 0) -> SimulatedEntry? {
        let number = count(call.key) + 1
        switch call {
        case .charge(let request):
            return .charge(SimulatedCharge(request, number: number, at: date))
        case .refund(let request):
            guard request.amount > 0, request.amount <= left(of: request.paymentID) &- reserved else {
                return nil
            }
            return .refund(SimulatedRefund(request, number: number, at: date))
        }
    }

    /// Minor units of all charges for the payment that are not refunded.
    func left(of paymentID: UUID) -> Int64 {
        let charged = (places[paymentID] ?? []).reduce(0) { $0 &+ charges[$1].amount }
        return charged &- (refunded[paymentID] ?? 0)
    }

    /// The charges for a comparison with the ledger; refunds count for a payment's first charge.
    var providerCharges: some RandomAccessCollection<ProviderCharge> {
        charges.indices.lazy.map(providerCharge)
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
