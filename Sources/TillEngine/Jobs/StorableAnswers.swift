import TillModel

// What remains of a provider's answer with the character U+0000, which not every ledger can keep. A provider that is broken or
// hostile must not make a commit fail, because the money may have moved.
//
// In sentences the character is replaced. A name that has it is malformed: the provider would not know it in any other form, so
// the outcome stays unknown until the provider gives another answer or an operator decides.

extension Preparation {
    var storable: Preparation {
        switch self {
        case .ready(let reference): reference.containsNUL ? .unknown(reason: malformedName) : self
        case .declined(let error): .declined(error.storable)
        case .unknown(let reason): .unknown(reason: reason.replacingNUL)
        case .busy: self
        }
    }
}

extension ChargeOutcome {
    var storable: ChargeOutcome {
        switch self {
        case .succeeded(let reference): reference.containsNUL ? .unknown(reason: malformedName) : self
        case .declined(let error): .declined(error.storable)
        case .unknown(let reason): .unknown(reason: reason.replacingNUL)
        case .busy, .payerAction, .pending: self
        }
    }
}

extension ChargeStatus {
    var storable: ChargeStatus {
        switch self {
        case .settled(.succeeded(let reference)) where reference.containsNUL: .unreachable(reason: malformedName)
        case .settled(let outcome): .settled(outcome.storable)
        case .unreachable(let reason): .unreachable(reason: reason.replacingNUL)
        case .ready, .notFound: self
        }
    }
}

extension Result {
    /// The caller decides about a value. Errors are shown and logged, and not stored.
    var storable: Self { self }
}

extension PaymentError? {
    var storable: PaymentError? {
        map(\.storable)
    }
}

extension PaymentError {
    var storable: PaymentError {
        var error = self
        error.message = message.replacingNUL
        error.providerCode = providerCode?.replacingNUL
        return error
    }
}

extension ProviderReversal {
    /// Whether every ledger can keep it.
    var isStorable: Bool {
        !reference.containsNUL && !currency.containsNUL
    }
}

/// Why the outcome of a charge is unknown whose name has the character U+0000.
private let malformedName = "the provider's name for it has the character U+0000"
