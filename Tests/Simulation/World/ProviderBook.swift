import FoundationEssentials
import TillEngine
import TillModel

/// The provider's own book, which no crash of the daemon affects. It knows an idempotency key for a day. After that, a
/// repeated request is charged again.
// One thread runs the whole simulation, so no two threads access this.
final class ProviderBook: @unchecked Sendable {
    /// How long the provider knows a key.
    static let keyLifetime = Duration.seconds(24 * 3600)
    /// How long after the first attempt the daemon may repeat a request.
    static let repeatMaximum = Duration.seconds(23 * 3600)

    private struct Key<Request> {
        var request: Request
        var outcome: ChargeOutcome
        var since: Duration
    }

    unowned let world: World
    /// By reference.
    var prepared: [String: PreparedEntry] = [:]
    var preparationKeys: [UUID: (reference: String, since: Duration)] = [:]
    private var chargeKeys: [UUID: Key<ChargeRequest>] = [:]
    private var refundKeys: [UUID: Key<ProviderRefundRequest>] = [:]
    /// References of executed refunds.
    private var given: [UUID: String] = [:]
    private var firstSent: [UUID: Duration] = [:]
    private(set) var charges: [ProviderCharge] = []
    /// Descriptions of forbidden requests by the engine.
    var violations: [String] = []
    private(set) var requests = 0
    /// The hosts that asked about each payment's charge.
    private var askers: [UUID: Set<Int>] = [:]
    /// How many prepared charges had each fate.
    private(set) var fates: [ChargeFate: Int] = [:]
    /// The payments that the provider did not decide about at once: it was busy, or their payer or a bank had to.
    var delayed: Set<UUID> = []
    /// When the daemon last asked to withdraw the charge of a payment.
    var withdrawalTimes: [UUID: Duration] = [:]

    init(world: World) {
        self.world = world
    }

    var keyLifetime: Duration {
        world.flaw == .forgetfulProvider ? .zero : Self.keyLifetime
    }

    var now: Duration {
        world.scheduler.now
    }

    /// Records that the daemon sends a request to charge, which may or may not arrive.
    ///
    /// - Parameter isStored: Whether the intent would survive a crash.
    func sent(_ request: ChargeRequest, isStored: Bool) {
        requests += 1
        noteSent("the charge \(request.paymentID.text)", request.paymentID, isStored: isStored)
    }

    /// Records that the daemon sends a request to refund, which may or may not arrive.
    func sent(_ request: ProviderRefundRequest, isStored: Bool) {
        noteSent("the refund \(request.refundID.text)", request.refundID, isStored: isStored)
    }

    /// Records that a host calls the provider about a payment's charge.
    func noteCall(about request: ChargeRequest, by host: Int) {
        askers[request.paymentID, default: []].insert(host)
    }

    /// The payments that several hosts asked about.
    var takeovers: Int {
        askers.values.count { $0.count > 1 }
    }

    /// Records that the provider refuses a call because it has too many.
    func refuse(_ request: ChargeRequest) {
        delayed.insert(request.paymentID)
        world.note("provider: is too busy for \(request.paymentID.text)")
    }

    private func noteSent(_ name: String, _ id: UUID, isStored: Bool) {
        if !isStored {
            violations.append("\(name) was sent before the intent was stored")
        }
        let first = firstSent[id] ?? now
        firstSent[id] = first
        if now - first > Self.repeatMaximum {
            violations.append("\(name) was sent \(now - first) after the first time")
        }
    }

    /// Executes a request to charge that has arrived.
    func charge(_ request: ChargeRequest) -> ChargeOutcome {
        answer(request, under: request.paymentID, \.chargeKeys, or: carryOut)
    }

    /// Executes a request to refund that has arrived.
    func refund(_ request: ProviderRefundRequest) -> ChargeOutcome {
        answer(request, under: request.refundID, \.refundKeys, or: giveBack)
    }

    /// The status of a charge under its key.
    func status(_ id: UUID) -> ChargeStatus {
        status(id, chargeKeys)
    }

    /// The status of a refund under its key.
    func refundStatus(_ id: UUID) -> ChargeStatus {
        status(id, refundKeys)
    }

    /// The outcome that an operator finds for a refund that was given up.
    func review(ofRefund id: UUID) -> ReviewOutcome {
        given[id].map { .charged(reference: $0) } ?? .notCharged
    }

    private func answer<Request: Equatable>(
        _ request: Request,
        under id: UUID,
        _ keys: ReferenceWritableKeyPath<ProviderBook, [UUID: Key<Request>]>,
        or carryOut: (Request) -> ChargeOutcome
    ) -> ChargeOutcome {
        if let key = self[keyPath: keys][id], now - key.since < keyLifetime {
            if key.request != request {
                violations.append("\(id.text) was sent with different content than before")
            }
            return key.outcome
        }
        let outcome = carryOut(request)
        self[keyPath: keys][id] = Key(request: request, outcome: outcome, since: now)
        return outcome
    }

    private func status<Request>(_ id: UUID, _ keys: [UUID: Key<Request>]) -> ChargeStatus {
        guard let key = keys[id], now - key.since < keyLifetime else {
            return .notFound
        }
        return .settled(key.outcome)
    }

    private func giveBack(_ request: ProviderRefundRequest) -> ChargeOutcome {
        guard let index = charges.firstIndex(where: { $0.paymentID == request.paymentID }) else {
            violations.append("a refund of \(request.paymentID.text), which was not charged")
            return .declined(PaymentError(.unknown, "The charge does not exist."))
        }
        guard !world.scheduler.random.chance(world.profile.declines) else {
            world.note("provider: declined the refund \(request.refundID.text)")
            return .declined(PaymentError(.unknown, "Declined.", providerCode: "charge_disputed"))
        }
        charges[index].refunded += request.amount
        world.note("provider: refunded \(request.amount) of \(request.paymentID.text)")
        let reference = "refund-\(request.refundID.text)"
        given[request.refundID] = reference
        return .succeeded(reference: reference)
    }

    private func carryOut(_ request: ChargeRequest) -> ChargeOutcome {
        carryOut(request, as: "charge-\(charges.count)")
    }

    func carryOut(_ request: ChargeRequest, as reference: String) -> ChargeOutcome {
        if world.scheduler.random.chance(world.profile.declines) {
            world.note("provider: declined \(request.paymentID.text)")
            return .declined(PaymentError(.unknown, "Declined.", providerCode: "card_declined"))
        }
        return record(request, as: reference)
    }

    /// Moves the money.
    func record(_ request: ChargeRequest, as reference: String) -> ChargeOutcome {
        charges.append(
            ProviderCharge(
                paymentID: request.paymentID,
                amount: request.amount,
                currency: request.currency,
                reference: reference
            )
        )
        world.note("provider: charged \(request.amount) for \(request.paymentID.text)")
        return .succeeded(reference: reference)
    }

    func count(_ fate: ChargeFate) {
        fates[fate, default: 0] += 1
    }
}
