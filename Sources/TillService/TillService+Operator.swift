import FoundationEssentials
import TTRPC
import TillEngine
import TillModel
import TillWire

#if MUTANTS
    import Mutants
#endif

extension TillService {
    /// The methods that only operators may call.
    func addOperator(to table: inout SessionMethods) {
        addOperatorQuestions(to: &table)
        addOperatorActions(to: &table)
        addSubscriptionActions(to: &table)
        addStore(to: &table)
        addBooks(to: &table)
        addBackups(to: &table)
        addExports(to: &table)
    }

    private func addOperatorQuestions(to table: inout SessionMethods) {
        table.unary { (session, _, request: FindTransactionsRequest) in
            #if MUTANTS
                if !Mutant.noUserCheck.isPlanted {
                    try session.checkOperator()
                }
            #else
                try session.checkOperator()
            #endif
            let (page, next) = try await engine.operatorTransactions(
                matching: request.filter,
                token: request.pageToken ?? 0,
                limit: request.pageSize == 0 ? WireProtocol.pageMaximum : request.pageSize
            )
            return FindTransactionsResponse(transactions: page, nextPageToken: next)
        }
        table.unary { (session, _, request: ExplainRequest) in
            try session.checkOperator()
            return try await engine.explanation(ofTransaction: request.transactionID)
        }
    }

    private func addOperatorActions(to table: inout SessionMethods) {
        table.unary { (session, _, request: ResolveRequest) in
            let identity = try session.operatorIdentity(because: request.reason)
            return ResolveResponse(
                transaction: try await engine.resolve(request.transactionID, review: request.outcome, by: identity)
            )
        }
        table.unary { (session, _, request: RefundRequest) in
            let identity = try session.operatorIdentity(because: request.reason)
            let (refund, transaction) = try await engine.refund(request.order, by: identity)
            return RefundResponse(refund: refund, transaction: transaction)
        }
        table.unary { (session, _, request: RebuildReceiptRequest) in
            let identity = try session.operatorIdentity(because: request.reason)
            let transaction = try await engine.rebuildReceipt(of: request.transactionID, by: identity)
            return RebuildReceiptResponse(transaction: transaction)
        }
        table.unary { (session, _, request: PromoteRequest) in
            let identity = try session.operatorIdentity(because: request.reason)
            guard Identifier.isValid(request.application), Identifier.isValid(request.account) else {
                throw TillError(.invalidArgument, "Name an application and an account.")
            }
            let queue = QueueName(application: request.application, account: request.account)
            try await engine.promote(request.payment, to: queue, by: identity)
            return PromoteResponse()
        }
    }
}

extension TillService {
    func addSubscriptionActions(to table: inout SessionMethods) {
        add(.expireSubscription, to: &table) { try await engine.expireSubscription($0, by: $1) }
        add(.renewSubscription, to: &table) { try await engine.renewSubscription($0, by: $1) }
        add(.enableAutoRenew, to: &table) { try await engine.setAutoRenew($0, to: true, by: $1) }
        add(.disableAutoRenew, to: &table) { try await engine.setAutoRenew($0, to: false, by: $1) }
        table.unary { (session, _, request: RequestPriceConsentRequest) in
            let identity = try session.operatorIdentity(because: request.reason)
            return SubscriptionActionResponse(
                status: try await engine.requestPriceConsent(
                    request.transactionID,
                    amount: request.amount,
                    by: identity
                )
            )
        }
        table.unary { (session, _, request: AnswerPriceConsentRequest) in
            let identity = try session.operatorIdentity(because: request.reason)
            return SubscriptionActionResponse(
                status: try await engine.answerPriceConsent(request.transactionID, agrees: request.agrees, by: identity)
            )
        }
    }

    private func add(
        _ method: SubscriptionActionRequest.Method,
        to table: inout SessionMethods,
        _ action: @escaping @Sendable (UUID, OperatorIdentity) async throws -> SubscriptionStatus
    ) {
        table.unary(method) { (session, _, request: SubscriptionActionRequest) in
            let identity = try session.operatorIdentity(because: request.reason)
            return SubscriptionActionResponse(status: try await action(request.transactionID, identity))
        }
    }
}

extension TillService {
    func addStore(to table: inout SessionMethods) {
        table.unary { (session, _, _: SettingsRequest) in
            try session.checkOperator()
            return SettingsResponse(settings: engine.storeSettings())
        }
        table.unary { (session, _, request: ChangeSettingsRequest) in
            let identity = try session.operatorIdentity(because: request.reason)
            let settings = try await engine.changeSettings(
                try Self.byName(request.changes),
                resetAll: request.resetAll,
                by: identity
            )
            return SettingsResponse(settings: settings)
        }
        table.unary { (session, _, _: ClockRequest) in
            try session.checkOperator()
            return engine.clock()
        }
        table.unary { (session, _, request: AdvanceClockRequest) in
            let identity = try session.operatorIdentity(because: request.reason)
            return try await engine.advanceClock(by: request.by, by: identity)
        }
    }

    private static func byName(_ changes: [SettingChange]) throws(TillError) -> [String: String?] {
        guard changes.count <= WireProtocol.settingChangesMaximum, Set(changes.map(\.name)).count == changes.count
        else {
            throw TillError(
                .invalidArgument,
                "Change at most \(WireProtocol.settingChangesMaximum) settings, each once."
            )
        }
        return Dictionary(changes.map { ($0.name, $0.value) }) { first, _ in first }
    }
}

extension TillService {
    func addBooks(to table: inout SessionMethods) {
        table.unary { (session, _, request: ReconcileRequest) in
            try session.checkOperator()
            return try await session.reconcile(request.pageToken, engine)
        }
        table.unary { (session, _, request: AuditRequest) in
            try session.checkOperator()
            let limit = request.limit == 0 ? WireProtocol.auditLinksMaximum : request.limit
            return AuditResponse(links: try await engine.audit(after: request.afterSequence, limit: limit))
        }
        table.unary { (session, _, request: OpenConsoleRequest) in
            try session.checkOperator()
            guard let console else {
                throw TillError(
                    .failedPrecondition,
                    "The operator page is switched off: start tilld with --console-address, see tilld(8)."
                )
            }
            return console.invite(session.user, request.readOnly)
        }
        table.unary { (session, _, _: MetricsRequest) in
            try session.checkOperator()
            return MetricsResponse(samples: Array(await metrics().prefix(WireProtocol.metricSamplesMaximum)))
        }
        table.unary { (session, _, _: HostsRequest) in
            try session.checkOperator()
            return HostsResponse(hosts: try await engine.hosts(limit: WireProtocol.hostsMaximum))
        }
    }
}
