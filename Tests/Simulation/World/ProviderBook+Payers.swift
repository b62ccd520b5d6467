import FoundationEssentials
import TillEngine
import TillModel

/// How many prepared charges had this fate. One charge may have several.
package enum ChargeFate: String, Sendable, CaseIterable {
    case decidedAtOnce = "decided by the request to charge"
    case withdrawn = "withdrawn"
    case neverCharged = "never charged"
    case neededPayer = "in need of their payer"
    case ofRenewal = "in need of the payer of a renewal"
    case declinedOnPage = "declined on the page, and tried again"
    case paid = "paid by their payer"
    case givenUp = "given up by their payer"
    case withdrawnFromPayer = "withdrawn from their payer"
    case paidTooLate = "withdrawn before their payer acted"
    case onTheirWay = "on their way"
    case arrived = "on their way, and charged"
    case failedOnTheirWay = "on their way, and declined"
}

/// What payers and their banks do at the provider, whatever the daemon does in the meantime.
extension ProviderBook {
    /// Charges, declines, or leaves the charge to its payer or the payer's bank.
    func begin(_ charge: PreparedEntry, as reference: String) -> ChargeOutcome {
        let payers = world.profile.payers ?? PayerProfile()
        if world.random.chance(payers.needed) {
            count(.neededPayer)
            if charge.previous != nil {
                count(.ofRenewal)
            }
            delayed.insert(charge.request.paymentID)
            world.note("provider: \(reference) needs its payer")
            waitForPayer(of: charge, reference)
            return .payerAction
        }
        if world.random.chance(payers.onTheirWay) {
            return send(charge.request, reference)
        }
        count(.decidedAtOnce)
        return carryOut(charge.request, as: reference)
    }

    /// The charges that a payer or a bank may still decide about.
    var undecided: [(reference: String, charge: PreparedEntry)] {
        prepared.filter { $0.value.isUndecided }.sorted { $0.key < $1.key }.map {
            (reference: $0.key, charge: $0.value)
        }
    }

    /// Notes a violation if money may still move for a payment that the daemon says has failed.
    func checkFailure(of payment: UUID) {
        for (reference, charge) in undecided where charge.request.paymentID == payment {
            violations.append("\(payment.text) failed before \(reference) was withdrawn")
        }
    }

    private func waitForPayer(of charge: PreparedEntry, _ reference: String) {
        if let delay = world.payerDelay(isRenewal: charge.previous != nil) {
            world.scheduler.after(delay, isElsewhere: true) { [self] in act(on: reference) }
        }
    }

    private func act(on reference: String) {
        guard let charge = prepared[reference], charge.outcome == .payerAction else {
            count(.paidTooLate)
            return world.note("the payer finds that \(reference) cannot be paid any more")
        }
        switch world.random.below(10) {
        case ..<2:
            count(.declinedOnPage)
            world.note("the payer's card is declined for \(reference)")
            waitForPayer(of: charge, reference)
        case ..<4:
            count(.givenUp)
            world.note("the payer gives up \(reference)")
            let error = PaymentError(.paymentCancelled, "The payer left the page.", reason: .cancelled)
            prepared[reference]?.outcome = .declined(error)
        case 4:
            prepared[reference]?.outcome = send(charge.request, reference)
        default:
            count(.paid)
            world.note("the payer pays \(reference)")
            prepared[reference]?.outcome = record(charge.request, as: reference)
        }
    }

    /// Sends the money on its way: it arrives later, or never.
    private func send(_ request: ChargeRequest, _ reference: String) -> ChargeOutcome {
        count(.onTheirWay)
        delayed.insert(request.paymentID)
        world.note("provider: the money of \(reference) is on its way")
        world.scheduler.after(world.transferTime(), isElsewhere: true) { [self] in
            let arrives = world.random.chance(700)
            count(arrives ? .arrived : .failedOnTheirWay)
            world.note("provider: the money of \(reference) \(arrives ? "arrives" : "does not arrive")")
            prepared[reference]?.outcome =
                arrives
                ? record(request, as: reference)
                : .declined(PaymentError(.unknown, "The money did not arrive.", providerCode: "transfer_failed"))
        }
        return .pending
    }
}
