package import FoundationEssentials
package import TillModel

/// Questions for people: the account's user, and the approvers of buyers.
extension PaymentEngine {
    /// Questions in one page.
    package static let requestPageMaximum = 32

    /// A page of the open questions that the user may answer, the oldest first, and the token of the next page.
    ///
    /// - Parameter token: The next token of the previous page; 0 for the first page.
    package func authorizationRequests(
        for approver: Approver,
        token: UInt64,
        limit: Int
    ) async throws(TillError) -> (page: [AuthorizationRequest], next: UInt64?) {
        guard (1...Self.requestPageMaximum).contains(limit) else {
            throw TillError(.invalidArgument, "Invalid page size \(limit): use 1 to \(Self.requestPageMaximum).")
        }
        return try await read { ledger in
            let key = try ledger.key(ofToken: token) {
                try Authorization.hasQuestion(ofToken: $0, for: approver, ledger)
            }
            let page = try self.authorization.requests(for: approver, after: key, limit: limit, ledger)
            return (page.map(\.request), page.count == limit ? page.last.map { UInt64($0.token) } : nil)
        }
    }

    /// Whether an agent can ask the account's user.
    package func isAgentAttached(account: String) -> Bool {
        agents.isAttached(account: account)
    }

    /// An agent of the user, which receives questions once its `run` is called.
    package func watchAuthorizationRequests(for approver: Approver) -> AuthorizationWatch {
        AuthorizationWatch(authorization, approver: approver, time: time)
    }

    /// Answers a question: a payment continues or fails, a price is agreed to or not. Returns once the provider has
    /// answered too, or after a time limit.
    ///
    /// - Parameters:
    ///   - id: The payment's identity; for a price, the identity of the payment that the subscription began with.
    ///   - price: The price that the person saw.
    /// - Throws: `notFound` for a question that is not the user's to answer, `failedPrecondition` for one that was
    ///   answered or has ended, or whose price is another one by now, `invalidArgument` if a price is agreed to without
    ///   one: nothing happened.
    package func answer(
        _ id: UUID,
        kind: AuthorizationRequest.Kind,
        approves: Bool,
        price: Price? = nil,
        reason: String,
        by approver: Approver
    ) async throws(TillError) {
        let identity = OperatorIdentity(uid: approver.uid, reason: reason)
        try await check(approver, mayAnswer: id, kind)
        switch kind {
        case .priceConsent:
            guard price != nil || !approves else {
                throw TillError(.invalidArgument, "Name the price that the person agrees to.")
            }
            _ = try await answerPriceConsent(id, agrees: approves, to: price, by: identity)
        case .payment:
            try await declineToPay(id, approves: approves, by: identity)
        case .purchase, .approval:
            try await commit { context in
                try self.authorization.answer(id, kind, approves: approves, by: identity, &context)
            }
            await settleCharges()
        }
    }

    func check(
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
}

/// A user who answers questions of the store.
package struct Approver: Hashable, Sendable {
    package var uid: UInt32
    /// The user's own account.
    package var account: String
    /// Whether this user may also approve and decline for other accounts.
    package var approvesForOthers: Bool

    package init(uid: UInt32, account: String, approvesForOthers: Bool) {
        self.uid = uid
        self.account = account
        self.approvesForOthers = approvesForOthers
    }

    /// Whether this user may answer a question to the account.
    ///
    /// - Parameter isApproval: Whether it is about Ask to Buy, which buyers may not answer themselves.
    func mayAnswer(for account: String, isApproval: Bool) -> Bool {
        approvesForOthers || (account == self.account && !isApproval)
    }
}
