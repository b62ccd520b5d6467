import FoundationEssentials
import TillModel

/// Reads and answers the questions that wait for a person.
final class Authorization: Sendable {
    /// Page tokens of price questions, which come after the payments' questions, begin here.
    private static let consentTokens: Int64 = 1 << 62

    private let catalogue: StoreCatalogue
    private let purchasing: Purchasing
    let agents: AgentRegistry
    private let access: LedgerAccess

    init(_ purchasing: Purchasing, access: LedgerAccess) {
        catalogue = purchasing.catalogue
        self.purchasing = purchasing
        agents = purchasing.agents
        self.access = access
    }

    /// Answers the question about a payment: the payment continues, or fails.
    func answer(
        _ id: UUID,
        _ kind: AuthorizationRequest.Kind,
        approves: Bool,
        by identity: OperatorIdentity,
        _ context: inout CommandContext
    ) throws -> Result<Void, TillError> {
        let blocker = kind == .approval ? Blocker.approval : .authorization
        guard let transaction = try context.ledger.transaction(id), transaction.blocker == blocker,
            transaction.deadline.map({ context.now < $0 }) ?? true,
            let purchase = try purchasing.purchase(of: transaction, context)
        else {
            return .failure(Self.answered(id))
        }
        try Self.record(id, transaction.key, blocker, approves: approves, by: identity, &context)
        context.effects.requestsChanged = true
        if approves {
            _ = try purchasing.proceed(purchase, after: .agreed, &context)
        } else {
            _ = try purchasing.fail(purchase, Self.refusal(blocker), &context)
        }
        return .success(())
    }

    /// Stores who answered the question about a payment, and how.
    static func record(
        _ id: UUID,
        _ key: Int64?,
        _ blocker: Blocker,
        approves: Bool,
        by identity: OperatorIdentity,
        _ context: inout CommandContext
    ) throws {
        try context.audit(approves ? "Approve" : "Decline", subject: id.text, detail: "\(blocker)", by: identity)
        if let key {
            try context.note(key, by: identity, "\(approves ? "approved" : "declined") (\(blocker))")
        }
    }

    private static func answered(_ id: UUID) -> TillError {
        TillError(.failedPrecondition, "The payment \(id.text) is not waiting for this answer.")
    }

    private static func refusal(_ blocker: Blocker) -> PaymentError {
        blocker == .approval
            ? PaymentError(.paymentCancelled, "The purchase was declined.", reason: .declined)
            : cancelledByUser
    }

    static let cancelledByUser = PaymentError(
        .paymentCancelled,
        "The user cancelled the payment.",
        reason: .cancelled
    )

    func requests(
        for approver: Approver,
        after token: Int64,
        limit: Int,
        _ ledger: any LedgerReader
    ) throws -> [(token: Int64, request: AuthorizationRequest)] {
        var page: [(token: Int64, request: AuthorizationRequest)] = []
        if token < Self.consentTokens {
            page = try paymentRequests(for: approver, afterKey: token, limit: limit, ledger)
        }
        if page.count < limit {
            let key = max(0, token - Self.consentTokens)
            page += try priceRequests(for: approver, afterKey: key, limit: limit - page.count, ledger)
        }
        return page
    }

    /// Whether a page for the approver can have ended with this token: it names a transaction or a subscription that
    /// they may answer for, whose question may be answered by now.
    static func hasQuestion(
        ofToken token: Int64,
        for approver: Approver,
        _ ledger: any LedgerReader
    ) throws -> Bool {
        let queue =
            token < consentTokens
            ? try ledger.transaction(key: token)?.queue
            : try ledger.subscription(key: token - consentTokens)?.queue
        guard let queue else {
            return false
        }
        return try approver.approvesForOthers || ledger.queue(key: queue)?.name.account == approver.account
    }

    /// The open questions that the user may answer, at most `limit`, and the token of each.
    func openQuestions(
        for approver: Approver,
        limit: Int
    ) async throws(TillError) -> [(token: Int64, question: AuthorizationWatch.Question)] {
        var questions: [(token: Int64, question: AuthorizationWatch.Question)] = []
        var pageIsFull = true
        while pageIsFull, questions.count < limit {
            let token = questions.last?.token ?? 0
            let size = min(PaymentEngine.requestPageMaximum, limit - questions.count)
            let page = try await access.read { ledger in
                try self.requests(for: approver, after: token, limit: size, ledger).map { token, request in
                    (token: token, question: AuthorizationWatch.Question(request))
                }
            }
            questions += page
            pageIsFull = page.count == size
        }
        return questions
    }

    /// The request of the question with this token; nil when it is no longer open.
    func openRequest(
        _ question: AuthorizationWatch.Question,
        token: Int64
    ) async throws(TillError) -> AuthorizationRequest? {
        try await access.read { ledger in
            let request = try self.openRequest(token: token, ledger)
            return request.flatMap { AuthorizationWatch.Question($0) == question ? $0 : nil }
        }
    }

    private func openRequest(token: Int64, _ ledger: any LedgerReader) throws -> AuthorizationRequest? {
        guard token < Self.consentTokens else {
            let subscription = try ledger.subscription(key: token - Self.consentTokens)
            return try subscription.flatMap { $0.priceConsent == .pending ? try request($0, ledger) : nil }
        }
        guard let transaction = try ledger.transaction(key: token),
            let kind = transaction.blocker.flatMap(AuthorizationRequest.Kind.init)
        else {
            return nil
        }
        return try request(transaction, kind, ledger)
    }

    private func paymentRequests(
        for approver: Approver,
        afterKey key: Int64,
        limit: Int,
        _ ledger: any LedgerReader
    ) throws -> [(token: Int64, request: AuthorizationRequest)] {
        let transactions = try ledger.transactions(
            waitingFor: approver.approvesForOthers
                ? [.authorization, .payerAction, .approval] : [.authorization, .payerAction],
            account: approver.approvesForOthers ? nil : approver.account,
            afterKey: key,
            limit: limit
        )
        return try transactions.compactMap { transaction in
            try transaction.blocker.flatMap(AuthorizationRequest.Kind.init).flatMap { kind in
                try request(transaction, kind, ledger).map { (transaction.key, $0) }
            }
        }
    }

    private func request(
        _ transaction: TransactionRecord,
        _ kind: AuthorizationRequest.Kind,
        _ ledger: any LedgerReader
    ) throws -> AuthorizationRequest? {
        guard let queue = try ledger.queue(key: transaction.queue),
            let charge = try ledger.charge(forTransaction: transaction.key)
        else {
            return nil
        }
        let product = catalogue.product(transaction.payment.productID)
        return AuthorizationRequest(
            id: transaction.id,
            kind: kind,
            application: queue.name.application,
            account: queue.name.account,
            productID: transaction.payment.productID,
            displayName: product?.displayName ?? transaction.payment.productID,
            quantity: transaction.payment.quantity,
            price: Price(minorUnits: charge.request.amount, currency: charge.request.currency),
            locale: product?.locale ?? catalogue.settings.locale,
            applicationUsername: transaction.payment.applicationUsername,
            createdAt: transaction.createdAt,
            deadline: transaction.deadline
                ?? charge.createdAt.addingTimeInterval(purchasing.payerDeadline?.timeInterval ?? 0)
        )
    }

    private func priceRequests(
        for approver: Approver,
        afterKey key: Int64,
        limit: Int,
        _ ledger: any LedgerReader
    ) throws -> [(token: Int64, request: AuthorizationRequest)] {
        let subscriptions = try ledger.subscriptionsAwaitingConsent(
            account: approver.approvesForOthers ? nil : approver.account,
            afterKey: key,
            limit: limit
        )
        return try subscriptions.compactMap { subscription in
            try request(subscription, ledger).map { (Self.consentTokens + subscription.key, $0) }
        }
    }

    private func request(_ subscription: SubscriptionRecord, _ ledger: any LedgerReader) throws
        -> AuthorizationRequest?
    {
        guard let queue = try ledger.queue(key: subscription.queue),
            let original = try ledger.transaction(key: subscription.original.key)
        else {
            return nil
        }
        let product = catalogue.product(subscription.renewalProductID)
        return AuthorizationRequest(
            id: subscription.original.id,
            kind: .priceConsent,
            application: queue.name.application,
            account: queue.name.account,
            productID: subscription.renewalProductID,
            displayName: product?.displayName ?? subscription.renewalProductID,
            quantity: 1,
            price: subscription.askedPrice,
            locale: product?.locale ?? catalogue.settings.locale,
            applicationUsername: original.payment.applicationUsername,
            createdAt: subscription.periodStart,
            deadline: subscription.periodEnd
        )
    }
}

extension AuthorizationRequest.Kind {
    /// The question that a payment with this blocker asks; nil if it waits for no person.
    fileprivate init?(_ blocker: Blocker) {
        switch blocker {
        case .authorization: self = .purchase
        case .approval: self = .approval
        case .payerAction: self = .payment
        case .provider, .otherPayment, .resolution: return nil
        }
    }
}
