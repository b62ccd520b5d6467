import TTRPC
import TillEngine
import TillModel
import TillWire

extension TillService {
    func addPaymentQueue(to table: inout SessionMethods) {
        table.unary(PaymentQueueMethod.hello) { session, _, request in try self.hello(request, session) }
        table.immediate(PaymentQueueMethod.canMakePayments) { (session, _: CanMakePaymentsRequest) in
            CanMakePaymentsResponse(canMakePayments: engine.canMakePayments(account: try session.queue().account))
        }
        table.unary(PaymentQueueMethod.addPayment) { (session, _, request: AddPaymentRequest) in
            AddPaymentResponse(transaction: try await engine.addPayment(request.payment, to: try session.queue()))
        }
        table.unary(PaymentQueueMethod.cancelPayment) { (session, _, request: CancelPaymentRequest) in
            let queue = try session.queue()
            return CancelPaymentResponse(transaction: try await engine.cancelPayment(request.transactionID, in: queue))
        }
        table.unary(PaymentQueueMethod.finishTransaction) { (session, _, request: FinishTransactionRequest) in
            let queue = try session.queue()
            return FinishTransactionResponse(
                revision: try await engine.finishTransaction(
                    request.transactionID,
                    in: queue,
                    includingOlderRenewals: request.finishesOlderRenewals
                )
            )
        }
        table.unary(PaymentQueueMethod.listTransactions) { session, _, request in try await self.list(request, session)
        }
        addRestores(to: &table)
        addEntitlements(to: &table)
        table.immediate(PaymentQueueMethod.acknowledge) { (session, request: AcknowledgeRequest) in
            _ = try session.queue()
            try session.observation(request.observerID).acknowledge(request.revision)
            return AcknowledgeResponse()
        }
        table.unary(PaymentQueueMethod.cancel) { (session, call, request: CancelRequest) in
            _ = try session.queue()
            let named = [request.observerID.map(StreamName.observer), .watch(request.watchID)].compactMap(\.self)
            let ended = named.filter(session.endStream)
            return CancelResponse(found: await call.cancelCalls(id: request.callID) || !ended.isEmpty)
        }
        table.streaming(PaymentQueueMethod.service, PaymentQueueMethod.observe.rawValue) {
            session,
            call,
            request,
            writer in
            try await self.observe(request, session, call, writer)
        }
    }

    private func hello(_ request: HelloRequest, _ session: Session) throws(TillError) -> HelloResponse {
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
            ledgerID: engine.ledgerID,
            heartbeat: Observation.heartbeat * 3
        )
    }

    private func list(
        _ request: ListTransactionsRequest,
        _ session: Session
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
        _ session: Session,
        _ call: ServerCall,
        _ writer: ServerStreamWriter
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

extension SessionMethods {
    mutating func unary<Request: WireMessage, Response: WireMessage>(
        _ method: PaymentQueueMethod,
        _ body: @escaping @Sendable (Session, ServerCall, Request) async throws -> Response
    ) {
        unary(PaymentQueueMethod.service, method.rawValue, body)
    }

    mutating func immediate<Request: WireMessage, Response: WireMessage>(
        _ method: PaymentQueueMethod,
        _ body: @escaping @Sendable (Session, Request) throws -> Response
    ) {
        immediate(PaymentQueueMethod.service, method.rawValue, body)
    }
}
