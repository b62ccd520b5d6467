import FoundationEssentials
import TillEngine
import TillModel

/// The provider's own book, which no crash of the daemon touches. It knows an idempotency key for a day, and then charges
/// again for whoever sends it again.
// One thread runs a simulation, so that nothing here is touched by two at once.
final class ProviderBook: @unchecked Sendable {
    /// How long a key is known.
    static let keyLifetime = Duration.seconds(24 * 3600)
    /// How long after the first time a request may be sent again.
    static let repeatMaximum = Duration.seconds(23 * 3600)

    private struct Key {
        var request: ChargeRequest
        var outcome: ChargeOutcome
        var since: Duration
    }

    private unowned let world: World
    private var keys: [UUID: Key] = [:]
    private var firstSent: [UUID: Duration] = [:]
    private var refunded: [UUID: RefundRequest] = [:]
    private(set) var charges: [ProviderCharge] = []
    /// What the engine did that it never may, in words.
    private(set) var offences: [String] = []
    private(set) var requests = 0

    init(world: World) {
        self.world = world
    }

    private var keyLifetime: Duration {
        world.flaw == .forgetfulProvider ? .zero : Self.keyLifetime
    }

    private var now: Duration {
        world.scheduler.now
    }

    /// The daemon sends a request to charge, which may or may not arrive.
    ///
    /// - Parameter isStored: Whether the intent would survive a crash.
    func sent(_ request: ChargeRequest, isStored: Bool) {
        requests += 1
        if !isStored {
            offences.append("\(request.paymentID.text) was sent to be charged before the intent was stored")
        }
        let first = firstSent[request.paymentID] ?? now
        firstSent[request.paymentID] = first
        if now - first > Self.repeatMaximum {
            offences.append("\(request.paymentID.text) was sent to be charged \(now - first) after the first time")
        }
    }

    /// A request to charge has arrived.
    func charge(_ request: ChargeRequest) -> ChargeOutcome {
        let id = request.paymentID
        if let key = keys[id], now - key.since < keyLifetime {
            if key.request != request {
                offences.append("\(id.text) was sent to be charged with other content than before")
            }
            return key.outcome
        }
        let outcome = carryOut(request)
        keys[id] = Key(request: request, outcome: outcome, since: now)
        return outcome
    }

    /// What is known of a charge under its key.
    func status(_ id: UUID) -> ChargeStatus {
        guard let key = keys[id], now - key.since < keyLifetime else {
            return .notFound
        }
        return .settled(key.outcome)
    }

    /// What an operator finds in the book about a payment, however long ago.
    func review(_ id: UUID) -> ReviewOutcome {
        charges.first { $0.paymentID == id }.map { .charged(reference: $0.reference) } ?? .notCharged
    }

    func refund(_ request: RefundRequest) -> ChargeOutcome {
        if refunded.updateValue(request, forKey: request.refundID) == nil {
            guard let index = charges.firstIndex(where: { $0.paymentID == request.paymentID }) else {
                offences.append("a refund of \(request.paymentID.text), which was not charged")
                return .declined(PaymentError(.unknown, "No such charge."))
            }
            charges[index].refunded += request.amount
            world.note("provider: gave \(request.amount) of \(request.paymentID.text) back")
        }
        return .succeeded(reference: "refund-\(request.refundID.text)")
    }

    func refundStatus(_ id: UUID) -> ChargeStatus {
        refunded[id] == nil ? .notFound : .settled(.succeeded(reference: "refund-\(id.text)"))
    }

    private func carryOut(_ request: ChargeRequest) -> ChargeOutcome {
        if world.scheduler.random.chance(world.profile.declines) {
            world.note("provider: declined \(request.paymentID.text)")
            return .declined(PaymentError(.unknown, "Declined.", providerCode: "card_declined"))
        }
        let reference = "charge-\(charges.count)"
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
}
