import TTRPC
import TillEngine
import TillModel
import TillWire

#if MUTANTS
    import Mutants
#endif

extension TillService {
    /// What only operators may call: see ``AccessPolicy/operators``.
    func addOperator(to table: inout SessionMethods) {
        addOperatorQuestions(to: &table)
        addOperatorActions(to: &table)
        addSubscriptionActions(to: &table)
        addStore(to: &table)
        addBooks(to: &table)
    }

    private func addOperatorQuestions(to table: inout SessionMethods) {
        table.unary(OperatorMethod.listTransactions) { (session, _, request: FindTransactionsRequest) in
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
        table.unary(OperatorMethod.explain) { (session, _, request: ExplainRequest) in
            try session.checkOperator()
            return try await engine.explanation(ofTransaction: request.transactionID)
        }
    }

    private func addOperatorActions(to table: inout SessionMethods) {
        table.unary(OperatorMethod.resolve) { (session, _, request: ResolveRequest) in
            let identity = try session.operatorIdentity(because: request.reason)
            return ResolveResponse(
                transaction: try await engine.resolve(request.transactionID, review: request.review, by: identity)
            )
        }
        table.unary(OperatorMethod.refund) { (session, _, request: TillWire.RefundRequest) in
            let identity = try session.operatorIdentity(because: request.reason)
            let (refund, transaction) = try await engine.refund(request.order, by: identity)
            return RefundResponse(refund: refund, transaction: transaction)
        }
        table.unary(OperatorMethod.rebuildReceipt) { (session, _, request: RebuildReceiptRequest) in
            let identity = try session.operatorIdentity(because: request.reason)
            let transaction = try await engine.rebuildReceipt(of: request.transactionID, by: identity)
            return RebuildReceiptResponse(transaction: transaction)
        }
        table.unary(OperatorMethod.promote) { (session, _, request: PromoteRequest) in
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

extension SessionMethods {
    mutating func unary<Request: WireMessage, Response: WireMessage>(
        _ method: OperatorMethod,
        _ body: @escaping @Sendable (Session, ServerCall, Request) async throws -> Response
    ) {
        unary(OperatorMethod.service, method.rawValue, body)
    }
}
