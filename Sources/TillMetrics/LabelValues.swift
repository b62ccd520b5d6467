/// What a call of the payment provider asks for.
package enum ProviderMethod: String, CaseIterable, Sendable {
    case prepare
    case charge
    case query
    case payerPage = "payer_page"
    case news
    case withdraw
    case refund
    case queryRefund = "query_refund"
    case record
    case discard
    case paymentMethods = "payment_methods"
    case removePaymentMethod = "remove_payment_method"
    case paymentMethodPage = "payment_method_page"
    case authorizeRestore = "authorize_restore"

    /// The outcomes that the call can have.
    package var outcomes: [ProviderOutcome] {
        let charged: [ProviderOutcome] = [.succeeded, .declined, .unknown, .busy, .payerAction, .pending, .timedOut]
        return switch self {
        case .prepare: [.ready, .declined, .unknown, .busy, .timedOut]
        case .charge, .refund: charged
        case .query, .queryRefund, .withdraw: charged + [.ready, .notFound, .unreachable]
        case .authorizeRestore: [.succeeded, .declined, .timedOut]
        case .payerPage, .news, .record, .discard, .paymentMethods, .removePaymentMethod, .paymentMethodPage:
            [.succeeded, .failed, .timedOut]
        }
    }
}

/// How a call of the payment provider ended.
package enum ProviderOutcome: String, CaseIterable, Sendable {
    /// The money moved, or the question was answered.
    case succeeded
    case declined
    /// The provider or the network left the outcome open.
    case unknown
    /// The provider takes no calls now.
    case busy
    case payerAction = "payer_action"
    case pending
    /// Prepared, and not charged.
    case ready
    case notFound = "not_found"
    case unreachable
    case failed
    /// No answer in time, or before the daemon stopped.
    case timedOut = "timed_out"
}

/// Why a command was refused before it was stored.
package enum CommandRefusal: String, CaseIterable, Sendable {
    /// Too many commands wait.
    case waitingMaximum = "waiting_maximum"
    /// A flush of the disk takes too long.
    case lateFlush = "late_flush"
    /// The daemon stops, or its ledger failed.
    case stopped
}

/// What an unfinished transaction waits for.
package enum UnfinishedWait: String, CaseIterable, Sendable {
    /// It is in a final state, and the application has to finish it.
    case application
    case provider
    case otherPayment = "other_payment"
    case user
    case approval
    case resolution
}

/// Work of the daemon that has a due date.
package enum DueWork: String, CaseIterable, Sendable {
    /// Charges to query or repeat at the provider.
    case charge
    case refund
    case subscription
    /// Waits for a person that end.
    case deadline
}

/// What needs an operator's decision, because its outcome stayed unknown.
package enum ReviewedWork: String, CaseIterable, Sendable {
    case charge
    case refund
}
