/// The states of a PaymentIntent, and what each of them allows.
///
///     requires_payment_method → requires_confirmation → requires_action | processing → succeeded
///
/// A decline, a failed authentication or a failed debit leads back to `requires_payment_method`. `succeeded` and
/// `canceled` are final: an intent has at most one successful charge.
enum IntentStatus: String, Hashable, Sendable, CaseIterable {
    case requiresPaymentMethod = "requires_payment_method"
    case requiresConfirmation = "requires_confirmation"
    case requiresAction = "requires_action"
    case processing
    case succeeded
    case canceled

    /// A result that moves the intent on.
    enum Step: Hashable, Sendable, CaseIterable {
        case confirmed, authenticationNeeded, charged, debitStarted, failed, canceled
    }

    var canBeConfirmed: Bool {
        [.requiresPaymentMethod, .requiresConfirmation, .requiresAction].contains(self)
    }

    var canBeCanceled: Bool { canBeConfirmed }

    /// Returns the next state; nil if the step is not legal.
    func after(_ step: Step) -> IntentStatus? {
        switch (self, step) {
        case (.succeeded, _), (.canceled, _): nil
        case (.processing, .charged): .succeeded
        case (.processing, .failed): .requiresPaymentMethod
        case (.processing, _): nil
        case (_, .confirmed): .requiresConfirmation
        case (_, .authenticationNeeded): .requiresAction
        case (_, .charged): .succeeded
        case (_, .debitStarted): .processing
        case (_, .failed): .requiresPaymentMethod
        case (_, .canceled): .canceled
        }
    }
}

extension Fields {
    /// The state of a PaymentIntent.
    var intentStatus: IntentStatus {
        IntentStatus(rawValue: status) ?? .canceled
    }

    /// Takes a step if it is legal, and returns whether it was.
    mutating func take(_ step: IntentStatus.Step) -> Bool {
        guard let next = intentStatus.after(step) else {
            return false
        }
        self["status"] = .string(next.rawValue)
        return true
    }
}
