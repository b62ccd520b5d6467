import TillEngine
import TillModel

/// What Stripe's objects say about a charge.
enum ChargeFinding: Hashable, Sendable {
    case outcome(ChargeOutcome)
    /// It was not confirmed yet, and may be.
    case ready
    /// It failed with this error, but could still be paid otherwise: the PaymentIntent has to be cancelled first.
    case cancel(intent: String, PaymentError)
}

extension PaymentIntent {
    /// What an intent says that is confirmed without its payer. An intent that is neither succeeded nor cancelled could
    /// still be charged.
    var finding: ChargeFinding {
        switch status {
        case "succeeded": .outcome(.succeeded(reference: id))
        case "processing": .outcome(.pending)
        case "canceled": .outcome(.declined(failure ?? .withdrawn))
        case "requires_confirmation": .ready
        case "requires_payment_method": .cancel(intent: id, failure ?? .withdrawn)
        case "requires_action": .cancel(intent: id, .payerNeeded)
        default: .outcome(.unknown(reason: "the PaymentIntent \(id) has the status \(status)"))
        }
    }

    private var failure: PaymentError? {
        lastError.map(PaymentError.init(declined:))
    }
}

extension CheckoutSession {
    /// What a session says. While it is open, a declined card is not final: the payer may use another.
    var finding: ChargeFinding {
        switch (status, intent?.status) {
        case (_, "succeeded"), (_, "processing"):
            intentFinding
        case ("open", _):
            .outcome(.payerAction)
        case ("complete", "requires_action"):
            // The payer has a voucher or a bank account to pay to.
            .outcome(.pending)
        case ("complete", _):
            intentFinding
        case ("expired", nil):
            .outcome(.declined(.expired))
        case ("expired", _):
            intentFinding.replacing(.expired)
        default:
            .outcome(.unknown(reason: "the Checkout Session \(id) has the status \(status)"))
        }
    }

    private var intentFinding: ChargeFinding {
        switch intent?.finding {
        case .ready:
            .outcome(.unknown(reason: "the Checkout Session \(id) is \(status), but its payment is not confirmed"))
        case .some(let finding): finding
        case nil: .outcome(.unknown(reason: "the Checkout Session \(id) is \(status) without a payment"))
        }
    }
}

extension ChargeFinding {
    /// The same finding with another error for a charge that failed.
    fileprivate func replacing(_ error: PaymentError) -> ChargeFinding {
        switch self {
        case .outcome(.declined): .outcome(.declined(error))
        case .cancel(let intent, _): .cancel(intent: intent, error)
        case .outcome, .ready: self
        }
    }
}
