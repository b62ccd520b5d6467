import FoundationEssentials
import TillEngine
import TillModel
import TillOutput

/// What an operator can do on the page, by the last part of its path.
enum Action: String, CaseIterable {
    case answer
    case resolve
    case refund
    case refundPreview = "refund-preview"
    case autoRenew = "auto-renew"
    case renew
    case expire
    case rebuildReceipt = "rebuild-receipt"
    case promote
    case changeSetting = "change-setting"
    case advanceClock = "advance-clock"
    case reconcile
    case verifyAudit = "verify-audit"

    /// What an action tells the operator.
    struct Result {
        /// A sentence.
        var message: String
        /// What else it found.
        var html: HTML?
    }

    /// Carries the action out for the operator.
    ///
    /// - Throws: The engine's error, or `invalidArgument` for a field: nothing happened then.
    func perform(_ engine: PaymentEngine, _ fields: ActionFields, by viewer: ConsoleSessions.Session)
        async throws(TillError) -> Result
    {
        switch self {
        case .reconcile: return try await Self.reconcile(engine)
        case .verifyAudit: return try await Self.verifyAudit(engine)
        case .refundPreview: return Result(message: try await Self.refundPreview(engine, fields))
        default: break
        }
        let identity = OperatorIdentity(uid: viewer.uid, reason: try fields.reason())
        return Result(message: try await change(engine, fields, by: identity))
    }

    /// Makes a change, and returns a sentence about it.
    private func change(_ engine: PaymentEngine, _ fields: ActionFields, by identity: OperatorIdentity)
        async throws(TillError) -> String
    {
        switch self {
        case .answer: return try await Self.answer(engine, fields, by: identity)
        case .resolve: return try await Self.resolve(engine, fields, by: identity)
        case .refund: return try await Self.refund(engine, fields, by: identity)
        case .promote: return try await Self.promote(engine, fields, by: identity)
        case .changeSetting: return try await Self.changeSetting(engine, fields, by: identity)
        case .advanceClock: return try await Self.advanceClock(engine, fields, by: identity)
        case .autoRenew:
            let status = try await engine.setAutoRenew(
                try fields.id(),
                to: try fields.isTrue("renews"),
                by: identity
            )
            return "The subscription \(status.willAutoRenew ? "renews" : "does not renew") at the end of its period."
        case .renew: return Self.text(try await engine.renewSubscription(try fields.id(), by: identity))
        case .expire: return Self.text(try await engine.expireSubscription(try fields.id(), by: identity))
        case .rebuildReceipt:
            _ = try await engine.rebuildReceipt(of: try fields.id(), by: identity)
            return "The receipt was signed again."
        case .reconcile, .verifyAudit, .refundPreview:
            // They change nothing.
            return ""
        }
    }

    private static func text(_ status: SubscriptionStatus) -> String {
        "The subscription is now \(status.state.title)."
    }
}

/// Decisions about transactions.
extension Action {
    private static func answer(_ engine: PaymentEngine, _ fields: ActionFields, by identity: OperatorIdentity)
        async throws(TillError) -> String
    {
        let approves = try fields.isTrue("approves")
        try await engine.answer(
            try fields.id(),
            kind: try fields.choice("kind"),
            approves: approves,
            reason: identity.reason,
            by: Approver(ConsoleSessions.Session(uid: identity.uid))
        )
        return approves ? "The request was approved." : "The request was declined."
    }

    /// An operator's finding in a form.
    private enum Review: CaseNamed {
        case none
        case charged
        case notCharged
    }

    private static func resolve(_ engine: PaymentEngine, _ fields: ActionFields, by identity: OperatorIdentity)
        async throws(TillError) -> String
    {
        let review: Review = try fields.choice("review")
        let outcome: ReviewOutcome? =
            switch review {
            case .none: nil
            case .charged: .charged(reference: fields["reference"])
            case .notCharged: .notCharged
            }
        let transaction = try await engine.resolve(try fields.id(), review: outcome, by: identity)
        return "The transaction is now \(transaction.state.title)."
    }

    private static func order(_ fields: ActionFields) throws(TillError) -> RefundOrder {
        RefundOrder(
            transactionID: try fields.id(),
            quantity: try fields.integer("quantity", in: 0...Payment.quantityRange.upperBound),
            reason: try fields.choice("cause"),
            keepsMoney: fields["keepsMoney"] == "true"
        )
    }

    private static func refundPreview(_ engine: PaymentEngine, _ fields: ActionFields) async throws(TillError) -> String
    {
        let decision = try await engine.decision(about: try order(fields))
        let amount = Price(minorUnits: decision.amount, currency: decision.currency).plain
        return "This revokes a quantity of \(decision.quantity) and gives back \(amount)."
    }

    private static func refund(_ engine: PaymentEngine, _ fields: ActionFields, by identity: OperatorIdentity)
        async throws(TillError) -> String
    {
        let (refund, _) = try await engine.refund(try order(fields), by: identity)
        let amount = Price(minorUnits: refund.amount, currency: refund.currency).plain
        return "The refund of \(refund.quantity) for \(amount) was ordered: \(refund.state.title)."
    }

    private static func promote(_ engine: PaymentEngine, _ fields: ActionFields, by identity: OperatorIdentity)
        async throws(TillError) -> String
    {
        let queue = QueueName(
            application: try fields.identifier("application"),
            account: try fields.identifier("account")
        )
        let payment = Payment(productID: try fields.identifier("product"))
        try await engine.promote(payment, to: queue, by: identity)
        return "The payment is offered to the application."
    }
}

/// The simulated store.
extension Action {
    private static func changeSetting(_ engine: PaymentEngine, _ fields: ActionFields, by identity: OperatorIdentity)
        async throws(TillError) -> String
    {
        let name = try fields.text("name")
        _ = try await engine.changeSettings([name: fields["value"]], resetAll: false, by: identity)
        return "The setting \(name) was changed."
    }

    private static func advanceClock(_ engine: PaymentEngine, _ fields: ActionFields, by identity: OperatorIdentity)
        async throws(TillError) -> String
    {
        let unit = try fields.text("unit")
        guard let length = ClockUnit(rawValue: unit) else {
            throw TillError(.invalidArgument, "There is no unit \(unit).")
        }
        let amount = try fields.integer("amount", in: 1...10_000)
        let clock = try await engine.advanceClock(by: length.duration * amount, by: identity)
        return "The store's clock now says \(clock.now.timestamp)."
    }
}

/// The units in which the store's clock is advanced.
enum ClockUnit: String, CaseIterable {
    case minutes
    case hours
    case days

    var duration: Duration {
        switch self {
        case .minutes: .seconds(60)
        case .hours: .seconds(3_600)
        case .days: .seconds(86_400)
        }
    }
}

/// The books.
extension Action {
    /// Differences that are shown.
    private static let rowsMaximum = 1_000

    private static func reconcile(_ engine: PaymentEngine) async throws(TillError) -> Result {
        var comparison = engine.reconciliation()
        var sum = ReconciliationPage(rows: [], agrees: true, compared: 0)
        while !comparison.isAtEnd {
            let page = try await comparison.nextPage()
            sum.rows += page.rows.prefix(rowsMaximum - sum.rows.count)
            sum.agrees = sum.agrees && page.agrees
            sum.compared += page.compared
            sum.discarded += page.discarded
        }
        return Result(message: ReconciliationLine.verdict(sum), html: BooksPage.result(sum.rows, sum))
    }

    private static func verifyAudit(_ engine: PaymentEngine) async throws(TillError) -> Result {
        var verification = AuditVerification(expected: nil)
        var last: Int64 = 0
        while case let links = try await engine.audit(after: last, limit: PaymentEngine.auditPageMaximum),
            let newest = links.last?.sequence, newest > last, verification.isIntact
        {
            links.forEach { verification.look(at: $0) }
            last = newest
        }
        let result = verification.result
        return Result(
            message: result.fault.map { "The audit log is DAMAGED: \($0)" } ?? "The audit log: \(result.text)."
        )
    }
}
