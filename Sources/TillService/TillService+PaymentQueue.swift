import TTRPC
import TillEngine
import TillModel
import TillWire

extension TillService {
    func addPaymentQueue(to table: inout SessionMethods) {
        // At once, so that a client may send commands before it has the answer.
        table.immediate { (session, request: HelloRequest) in try self.hello(request, session) }
        table.immediate { (session, _: CanMakePaymentsRequest) in
            CanMakePaymentsResponse(canMakePayments: engine.canMakePayments(account: try session.queue().account))
        }
        addCommands(to: &table)
        table.unary { (session, _, request: ListTransactionsRequest) in try await self.list(request, session) }
        addRestores(to: &table)
        addEntitlements(to: &table)
        table.immediate { (session, request: AcknowledgeRequest) in
            _ = try session.queue()
            try session.observation(request.observerID).acknowledge(request.revision)
            return AcknowledgeResponse()
        }
        table.unary { (session, call, request: CancelRequest) in
            _ = try session.queue()
            let named = [request.observerID.map(StreamName.observer), .watch(request.watchID)].compactMap(\.self)
            let ended = named.filter(session.endStream)
            return CancelResponse(found: await call.cancelCalls(id: request.callID) || !ended.isEmpty)
        }
        table.streaming { (session, call, request: ObserveRequest, writer) in
            try await self.observe(request, session, call, writer)
        }
    }

    private func addCommands(to table: inout SessionMethods) {
        table.command { (session, request: AddPaymentRequest, answer) throws(TillError) in
            try engine.addPayment(request.payment, to: try session.queue()) {
                answer($0.map { AddPaymentResponse(transaction: $0) })
            }
        }
        // It may have to ask the provider.
        table.unary { (session, _, request: CancelPaymentRequest) in
            let queue = try session.queue()
            return CancelPaymentResponse(
                transaction: try await engine.cancelPayment(request.transactionID, in: queue)
            )
        }
        table.command { (session, request: FinishTransactionRequest, answer) throws(TillError) in
            engine.finishTransaction(
                request.transactionID,
                in: try session.queue(),
                includingOlderRenewals: request.finishesOlderRenewals
            ) {
                answer($0.map { FinishTransactionResponse(revision: $0) })
            }
        }
    }

    private func hello(_ request: HelloRequest, _ session: ClientSession) throws(TillError) -> HelloResponse {
        try session.checkAdmitted()
        guard request.protocolMinimum <= WireProtocol.version else {
            throw TillError(
                .failedPrecondition,
                "The client needs protocol \(request.protocolMinimum) and this daemon speaks \(WireProtocol.version): update the daemon."
            )
        }
        guard request.protocolMaximum >= WireProtocol.version else {
            throw TillError(
                .failedPrecondition,
                "The client speaks protocol \(request.protocolMaximum) and this daemon needs \(WireProtocol.version): update the client."
            )
        }
        guard Identifier.isValid(request.application) else {
            throw TillError(
                .invalidArgument,
                "The application must be 1 to \(Identifier.maximumBytes) characters of A-Z a-z 0-9 . _ : -"
            )
        }
        guard request.capabilities.count <= Self.capabilitiesMaximum else {
            throw TillError(.invalidArgument, "Name at most \(Self.capabilitiesMaximum) capabilities.")
        }
        let queue = try session.open(request.application)
        return HelloResponse(
            protocolVersion: WireProtocol.version,
            capabilities: [],
            server: server,
            account: queue.account,
            ledgerID: engine.timelineID,
            heartbeat: Observation.heartbeat * 3
        )
    }

    private func list(
        _ request: ListTransactionsRequest,
        _ session: ClientSession
    ) async throws(TillError) -> ListTransactionsResponse {
        let (page, next) = try await engine.transactions(
            in: try session.queue(),
            token: request.pageToken ?? 0,
            includeFinished: request.includesFinished,
            limit: request.pageSize == 0 ? PaymentEngine.pageDefault : request.pageSize
        )
        return ListTransactionsResponse(transactions: page, nextPageToken: next)
    }

    private func observe(
        _ request: ObserveRequest,
        _ session: ClientSession,
        _ call: ServerCall,
        _ writer: ElementWriter<EventBatch>
    ) async throws {
        let observation = try engine.observe(
            try session.queue(),
            after: request.after,
            resumesInitialDelivery: request.resumesInitialDelivery,
            window: request.window == 0 ? nil : request.window,
            batchSize: request.batchSize == 0 ? nil : request.batchSize,
            collapsesRenewals: request.collapsesRenewals,
            isPassive: request.isPassive,
            peer: session.caller
        )
        try await session.withStream(.observer(request.observerID), call, delivering: observation) {
            try await observation.run(delivering: { batch in
                try await writer.write { try await batch()?.bytes { $0.wireBytes() } }
            })
        }
    }
}

extension TillService {
    func addRestores(to table: inout SessionMethods) {
        table.unary { (session, _, request: RestoreCompletedTransactionsRequest) in
            let status = try await engine.restoreCompletedTransactions(
                request.restoreID,
                applicationUsername: request.applicationUsername,
                in: try session.queue()
            )
            return RestoreCompletedTransactionsResponse(status)
        }
        table.unary { (session, _, request: RestoreStatusRequest) in
            let queue = try session.queue()
            return RestoreCompletedTransactionsResponse(try await engine.restoreStatus(request.restoreID, in: queue))
        }
        table.unary { (session, _, request: CancelRestoreRequest) in
            let queue = try session.queue()
            return RestoreCompletedTransactionsResponse(try await engine.cancelRestore(request.restoreID, in: queue))
        }
    }
}

extension RestoreCompletedTransactionsResponse {
    fileprivate init(_ status: RestoreStatus) {
        self.init(
            restoreID: status.id,
            revision: status.revision,
            state: status.state,
            restoredCount: status.count,
            totalCount: status.total,
            error: status.error
        )
    }
}

extension TillService {
    func addEntitlements(to table: inout SessionMethods) {
        table.unary { (session, _, request: EntitlementsRequest) in
            let (page, next) = try await engine.entitlements(
                in: try session.queue(),
                token: request.pageToken ?? 0,
                limit: WireProtocol.pageMaximum
            )
            return EntitlementsResponse(entitlements: page, nextPageToken: next)
        }
        table.unary { (session, _, request: SubscriptionsRequest) in
            let (page, next) = try await engine.subscriptions(
                in: try session.queue(),
                token: request.pageToken ?? 0,
                limit: WireProtocol.pageMaximum
            )
            return SubscriptionsResponse(subscriptions: page, nextPageToken: next)
        }
    }
}
