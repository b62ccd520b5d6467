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
    case buy
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
        case .answer: try await Self.answer(engine, fields, by: viewer)
        case .resolve: try await Self.resolve(engine, fields, by: viewer)
        case .refund: try await Self.refund(engine, fields, by: viewer)
        case .refundPreview: try await Self.refundPreview(engine, fields)
        case .autoRenew: try await Self.setAutoRenew(engine, fields, by: viewer)
        case .renew: try await Self.renew(engine, fields, by: viewer)
        case .expire: try await Self.expire(engine, fields, by: viewer)
        case .rebuildReceipt: try await Self.rebuildReceipt(engine, fields, by: viewer)
        case .promote: try await Self.promote(engine, fields, by: viewer)
        case .buy: try await Self.buy(engine, fields, by: viewer)
        case .changeSetting: try await Self.changeSetting(engine, fields, by: viewer)
        case .advanceClock: try await Self.advanceClock(engine, fields, by: viewer)
        case .reconcile: try await Self.reconcile(engine)
        case .verifyAudit: try await Self.verifyAudit(engine)
        }
    }
}

/// Subscriptions.
extension Action {
    private static func setAutoRenew(
        _ engine: PaymentEngine,
        _ fields: ActionFields,
        by viewer: ConsoleSessions.Session
    )
        async throws(TillError) -> Result
    {
        let renews = try fields.isTrue("renews")
        let status = try await engine.setAutoRenew(try fields.id(), to: renews, by: try fields.identity(of: viewer))
        let text = status.willAutoRenew ? "renews" : "does not renew"
        return Result(message: "The subscription \(text) at the end of its period.")
    }

    private static func renew(_ engine: PaymentEngine, _ fields: ActionFields, by viewer: ConsoleSessions.Session)
        async throws(TillError) -> Result
    {
        result(try await engine.renewSubscription(try fields.id(), by: try fields.identity(of: viewer)))
    }

    private static func expire(_ engine: PaymentEngine, _ fields: ActionFields, by viewer: ConsoleSessions.Session)
        async throws(TillError) -> Result
    {
        result(try await engine.expireSubscription(try fields.id(), by: try fields.identity(of: viewer)))
    }

    private static func result(_ status: SubscriptionStatus) -> Result {
        Result(message: "The subscription is now \(status.state.title).")
    }
}

/// Decisions about transactions.
extension Action {
    private static func answer(_ engine: PaymentEngine, _ fields: ActionFields, by viewer: ConsoleSessions.Session)
        async throws(TillError) -> Result
    {
        let approves = try fields.isTrue("approves")
        try await engine.answer(
            try fields.id(),
            kind: try fields.choice("kind"),
            approves: approves,
            price: try fields.price(),
            reason: try fields.identity(of: viewer).reason,
            by: Approver(viewer)
        )
        return Result(message: approves ? "The request was approved." : "The request was declined.")
    }

    private static func rebuildReceipt(
        _ engine: PaymentEngine,
        _ fields: ActionFields,
        by viewer: ConsoleSessions.Session
    ) async throws(TillError) -> Result {
        _ = try await engine.rebuildReceipt(of: try fields.id(), by: try fields.identity(of: viewer))
        return Result(message: "The receipt was signed again.")
    }

    /// An operator's finding in a form.
    private enum Review: CaseNamed {
        case none
        case charged
        case notCharged
    }

    private static func resolve(_ engine: PaymentEngine, _ fields: ActionFields, by viewer: ConsoleSessions.Session)
        async throws(TillError) -> Result
    {
        let review: Review = try fields.choice("review")
        let outcome: ReviewOutcome? =
            switch review {
            case .none: nil
            case .charged: .charged(reference: fields["reference"])
            case .notCharged: .notCharged
            }
        let transaction = try await engine.resolve(
            try fields.id(),
            review: outcome,
            by: try fields.identity(of: viewer)
        )
        return Result(message: "The transaction is now \(transaction.state.title).")
    }

    private static func order(_ fields: ActionFields) throws(TillError) -> RefundOrder {
        RefundOrder(
            transactionID: try fields.id(),
            quantity: try fields.integer("quantity", in: 0...Payment.quantityRange.upperBound),
            reason: try fields.choice("cause"),
            keepsMoney: fields["keepsMoney"] == "true"
        )
    }

    private static func refundPreview(_ engine: PaymentEngine, _ fields: ActionFields) async throws(TillError) -> Result
    {
        let decision = try await engine.decision(about: try order(fields))
        let amount = Price(minorUnits: decision.amount, currency: decision.currency).plain
        return Result(message: "This revokes a quantity of \(decision.quantity) and gives back \(amount).")
    }

    private static func refund(_ engine: PaymentEngine, _ fields: ActionFields, by viewer: ConsoleSessions.Session)
        async throws(TillError) -> Result
    {
        let (refund, _) = try await engine.refund(try order(fields), by: try fields.identity(of: viewer))
        let amount = Price(minorUnits: refund.amount, currency: refund.currency).plain
        return Result(message: "The refund of \(refund.quantity) for \(amount) was ordered: \(refund.state.title).")
    }

    private static func promote(_ engine: PaymentEngine, _ fields: ActionFields, by viewer: ConsoleSessions.Session)
        async throws(TillError) -> Result
    {
        let payment = Payment(productID: try fields.identifier("product"))
        try await engine.promote(payment, to: try fields.queueName(), by: try fields.identity(of: viewer))
        return Result(message: "The payment is offered to the application.")
    }
}

/// The simulated store.
extension Action {
    private static func buy(_ engine: PaymentEngine, _ fields: ActionFields, by viewer: ConsoleSessions.Session)
        async throws(TillError) -> Result
    {
        let payment = Payment(
            productID: try fields.identifier("product"),
            quantity: try fields.integer("quantity", in: Payment.quantityRange)
        )
        let transaction = try await engine.addPayment(
            payment,
            to: try fields.queueName(),
            by: try fields.identity(of: viewer)
        )
        return Result(message: "The payment \(transaction.id.text) was added.")
    }

    private static func changeSetting(
        _ engine: PaymentEngine,
        _ fields: ActionFields,
        by viewer: ConsoleSessions.Session
    )
        async throws(TillError) -> Result
    {
        let name = try fields.text("name")
        _ = try await engine.changeSettings(
            [name: fields["value"]],
            resetAll: false,
            by: try fields.identity(of: viewer)
        )
        return Result(message: "The setting \(name) was changed.")
    }

    private static func advanceClock(
        _ engine: PaymentEngine,
        _ fields: ActionFields,
        by viewer: ConsoleSessions.Session
    )
        async throws(TillError) -> Result
    {
        let unit = try fields.text("unit")
        guard let length = ClockUnit(rawValue: unit) else {
            throw TillError(.invalidArgument, "There is no unit \(unit).")
        }
        let amount = try fields.integer("amount", in: 1...10_000)
        let clock = try await engine.advanceClock(by: length.duration * amount, by: try fields.identity(of: viewer))
        return Result(message: "The store's clock now says \(clock.now.timestamp).")
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
            sum.add(page)
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
