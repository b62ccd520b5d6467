package import FoundationEssentials
package import TillModel

extension PaymentEngine {
    /// Questions in one page.
    package static let requestPageMaximum = 32
    /// Tokens of pages of price questions, which come after the payments', begin here.
    private static let consentTokens: Int64 = 1 << 62

    /// A page of the open questions that the user may answer, the oldest first, and the token of the next page.
    ///
    /// - Parameter token: What the page before returned; 0 for the first page.
    package func authorizationRequests(
        for approver: Approver,
        token: UInt64,
        limit: Int
    ) async throws(TillError) -> (page: [AuthorizationRequest], next: UInt64?) {
        guard (1...Self.requestPageMaximum).contains(limit) else {
            throw TillError(.invalidArgument, "Invalid page size \(limit): use 1 to \(Self.requestPageMaximum).")
        }
        return try await read { ledger in
            let key = try ledger.key(ofToken: token) { try Self.hasQuestion(ofToken: $0, for: approver, ledger) }
            let page = try self.requests(for: approver, after: key, limit: limit, ledger)
            return (page.map(\.request), page.count == limit ? page.last.map { UInt64($0.token) } : nil)
        }
    }

    private func requests(
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

    /// Whether the approver can have been given this token: it stands for a transaction or a subscription of theirs, whose
    /// question may be answered by now.
    private static func hasQuestion(
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

    /// Whether there is somebody to ask the account's user.
    package func isAgentAttached(account: String) -> Bool {
        agents.isAttached(account: account)
    }

    /// An agent of the user, which is told of questions once its `run` is called.
    package func watchAuthorizationRequests(for approver: Approver) -> AuthorizationWatch {
        AuthorizationWatch(engine: self, approver: approver)
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
            let size = min(Self.requestPageMaximum, limit - questions.count)
            let page = try await read { ledger in
                try self.requests(for: approver, after: token, limit: size, ledger).map { token, request in
                    (token: token, question: AuthorizationWatch.Question(request))
                }
            }
            questions += page
            pageIsFull = page.count == size
        }
        return questions
    }

    /// What is asked by a question with this token; nil when it is open no longer.
    func openRequest(
        _ question: AuthorizationWatch.Question,
        token: Int64
    ) async throws(TillError) -> AuthorizationRequest? {
        try await read { ledger in
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
            transaction.blocker == .authorization || transaction.blocker == .approval
        else {
            return nil
        }
        return try request(transaction, ledger)
    }

    /// Answers a question: a payment goes on or fails, a price is agreed to or not. Returns once the provider has answered
    /// too, or has not for a while.
    ///
    /// - Parameter id: The payment's identity; for a price, that of the payment which the subscription began with.
    /// - Throws: `notFound` for a question that is not the user's to answer, `failedPrecondition` for one that was
    ///   answered or has ended: nothing happened.
    package func answer(
        _ id: UUID,
        kind: AuthorizationRequest.Kind,
        approves: Bool,
        reason: String,
        by approver: Approver
    ) async throws(TillError) {
        let identity = OperatorIdentity(uid: approver.uid, reason: reason)
        try await check(approver, mayAnswer: id, kind)
        switch kind {
        case .priceConsent:
            _ = try await answerPriceConsent(id, agrees: approves, by: identity)
        case .purchase, .approval:
            try await answerPayment(id, kind, approves: approves, by: identity)
            await settleCharges()
        }
    }

    private func check(
        _ approver: Approver,
        mayAnswer id: UUID,
        _ kind: AuthorizationRequest.Kind
    ) async throws(TillError) {
        let account: String? = try await read { ledger in
            guard let transaction = try ledger.transaction(id) else {
                return nil
            }
            return try ledger.queue(key: transaction.queue)?.name.account
        }
        guard let account, approver.mayAnswer(for: account, isApproval: kind == .approval) else {
            throw TillError(.notFound, "There is no question about \(id.text) that this user may answer.")
        }
    }

    private func answerPayment(
        _ id: UUID,
        _ kind: AuthorizationRequest.Kind,
        approves: Bool,
        by identity: OperatorIdentity
    ) async throws(TillError) {
        let blocker = kind == .approval ? Blocker.approval : .authorization
        try await commit { context -> Result<Void, TillError> in
            guard let transaction = try context.ledger.transaction(id), transaction.blocker == blocker,
                transaction.deadline.map({ context.now < $0 }) ?? true,
                let purchase = try self.purchase(of: transaction, context)
            else {
                return .failure(Self.answered(id))
            }
            let action = approves ? "Approve" : "Decline"
            try context.audit(action, subject: id.text, detail: "\(blocker)", by: identity)
            try context.note(
                transaction.key,
                by: "uid:\(identity.uid)",
                "\(approves ? "approved" : "declined") (\(blocker))"
            )
            context.effects.requestsChanged = true
            if approves {
                _ = try self.proceed(purchase, after: .agreed, &context)
            } else {
                _ = try self.fail(purchase, Self.refusal(blocker), &context)
            }
            return .success(())
        }
    }

    private static func answered(_ id: UUID) -> TillError {
        TillError(.failedPrecondition, "The payment \(id.text) does not wait for this answer, or not any more.")
    }

    private static func refusal(_ blocker: Blocker) -> PaymentError {
        blocker == .approval
            ? PaymentError(.paymentCancelled, "The purchase was declined.", reason: .declined)
            : PaymentError(.paymentCancelled, "The user cancelled the payment.", reason: .cancelled)
    }

    private func paymentRequests(
        for approver: Approver,
        afterKey key: Int64,
        limit: Int,
        _ ledger: any LedgerReader
    ) throws -> [(token: Int64, request: AuthorizationRequest)] {
        let transactions = try ledger.transactions(
            waitingFor: approver.approvesForOthers ? [.authorization, .approval] : [.authorization],
            account: approver.approvesForOthers ? nil : approver.account,
            afterKey: key,
            limit: limit
        )
        return try transactions.compactMap { transaction in
            try request(transaction, ledger).map { (transaction.key, $0) }
        }
    }

    private func request(_ transaction: TransactionRecord, _ ledger: any LedgerReader) throws -> AuthorizationRequest? {
        guard let queue = try ledger.queue(key: transaction.queue),
            let charge = try ledger.charge(forTransaction: transaction.key)
        else {
            return nil
        }
        let product = product(transaction.payment.productID)
        return AuthorizationRequest(
            id: transaction.id,
            kind: transaction.blocker == .approval ? .approval : .purchase,
            application: queue.name.application,
            account: queue.name.account,
            productID: transaction.payment.productID,
            displayName: product?.displayName ?? transaction.payment.productID,
            quantity: transaction.payment.quantity,
            price: Price(minorUnits: charge.request.amount, currency: charge.request.currency),
            locale: product?.locale ?? settings.locale,
            applicationUsername: transaction.payment.applicationUsername,
            createdAt: transaction.createdAt,
            deadline: transaction.deadline ?? transaction.createdAt
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
        let product = product(subscription.renewalProductID)
        return AuthorizationRequest(
            id: subscription.original.id,
            kind: .priceConsent,
            application: queue.name.application,
            account: queue.name.account,
            productID: subscription.renewalProductID,
            displayName: product?.displayName ?? subscription.renewalProductID,
            quantity: 1,
            price: Price(
                minorUnits: subscription.announcedAmount ?? subscription.renewalAmount,
                currency: subscription.currency
            ),
            locale: product?.locale ?? settings.locale,
            applicationUsername: original.payment.applicationUsername,
            createdAt: subscription.periodStart,
            deadline: subscription.periodEnd
        )
    }
}
