import FoundationEssentials
import TillEngine
import TillModel

/// A charge that was prepared.
struct PreparedEntry {
    var request: ChargeRequest
    /// The reference of the payment that it renews; nil for a purchase.
    var previous: String?
    /// Nil until it was charged, declined or withdrawn.
    var outcome: ChargeOutcome?

    /// Whether a payer or a bank may still decide about it.
    var isUndecided: Bool {
        outcome == .payerAction || outcome == .pending
    }
}

/// Charges that are prepared before they are made.
extension ProviderBook {
    /// Prepares a charge, or returns the name of the one that was prepared under the same key within a day.
    func prepare(_ request: ChargeRequest, renewing previous: String?) -> String {
        if let key = preparationKeys[request.paymentID], now - key.since < keyLifetime {
            if prepared[key.reference]?.request != request {
                violations.append("\(request.paymentID.text) was prepared with different content than before")
            }
            return key.reference
        }
        let reference = "prepared-\(prepared.count)"
        prepared[reference] = PreparedEntry(request: request, previous: previous)
        preparationKeys[request.paymentID] = (reference, now)
        world.note("provider: prepared \(request.paymentID.text) as \(reference)")
        return reference
    }

    /// Executes a request to make a prepared charge: at most once, however old it is.
    func charge(_ request: ChargeRequest, by reference: String) -> ChargeOutcome {
        guard let charge = prepared[reference] else {
            violations.append("\(request.paymentID.text) was charged as \(reference), which was not prepared")
            return .declined(PaymentError(.unknown, "No such charge."))
        }
        if charge.request.amount != request.amount || charge.request.currency != request.currency {
            violations.append("\(request.paymentID.text) was charged with another amount than \(reference)")
        }
        let outcome = charge.outcome ?? begin(charge, as: reference)
        prepared[reference]?.outcome = outcome
        return outcome
    }

    /// The status of a prepared charge.
    func status(of reference: String) -> ChargeStatus {
        guard let charge = prepared[reference] else {
            return .notFound
        }
        return charge.outcome.map(ChargeStatus.settled) ?? .ready
    }

    /// Withdraws a prepared charge, unless it was charged or declined, or its money is on its way.
    func withdraw(_ reference: String) -> ChargeStatus {
        guard let charge = prepared[reference] else {
            return .notFound
        }
        if let outcome = charge.outcome, outcome != .payerAction {
            return .settled(outcome)
        }
        count(charge.outcome == nil ? .withdrawn : .withdrawnFromPayer)
        world.note("provider: withdrew \(reference)")
        let outcome = ChargeOutcome.declined(PaymentError(.unknown, "Withdrawn.", providerCode: "withdrawn"))
        prepared[reference]?.outcome = outcome
        return .settled(outcome)
    }

    /// Records that the daemon asks to withdraw a charge.
    func noteWithdrawal(of payment: UUID) {
        withdrawalTimes[payment] = now
    }

    /// Whether the daemon may still wait for the answer to a withdrawal, or be about to store it. No job asks about the
    /// charge then.
    func isWithdrawing(_ payment: UUID) -> Bool {
        withdrawalTimes[payment].map { now - $0 < HostileProvider.timeout + .seconds(3) } ?? false
    }

    /// How many prepared charges had each fate.
    var preparedCharges: [ChargeFate: Int] {
        var counts = fates
        counts[.neverCharged] = prepared.values.count { $0.outcome == nil }
        return counts
    }

    /// The outcome that an operator finds for a charge that was given up; nil while its money is on its way. The operator
    /// withdraws what a payer could still pay.
    func review(of id: UUID) -> ReviewOutcome? {
        for (reference, charge) in undecided where charge.request.paymentID == id {
            guard charge.outcome == .payerAction else {
                return nil
            }
            _ = withdraw(reference)
        }
        return charges.first { $0.paymentID == id }.map { .charged(reference: $0.reference) } ?? .notCharged
    }
}
