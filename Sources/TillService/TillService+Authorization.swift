import TTRPC
import TillEngine
import TillModel
import TillWire

extension TillService {
    func addAuthorization(to table: inout SessionMethods) {
        table.unary { (session, _, request: ListAuthorizationRequestsRequest) in
            let (page, next) = try await engine.authorizationRequests(
                for: try session.approver(),
                token: request.pageToken ?? 0,
                limit: WireProtocol.pageMaximum
            )
            return ListAuthorizationRequestsResponse(requests: page, nextPageToken: next)
        }
        table.unary { (session, _, request: AnswerRequest) in
            let approver = try session.approver()
            guard request.reason.utf8.count <= WireProtocol.reasonMaximumBytes else {
                throw TillError(
                    .invalidArgument,
                    "The reason must be at most \(WireProtocol.reasonMaximumBytes) bytes."
                )
            }
            try await engine.answer(
                request.id,
                kind: request.kind,
                approves: request.approves,
                price: request.price,
                reason: request.reason,
                by: approver
            )
            return AnswerResponse()
        }
        table.unary { (session, _, request: PaymentPageRequest) in
            PaymentPageResponse(url: try await engine.paymentPage(request.id, for: try session.approver()))
        }
        table.streaming { (session, call, request: WatchRequest, writer) in
            try await self.watch(request, session, call, writer)
        }
    }

    private func watch(
        _ request: WatchRequest,
        _ session: ClientSession,
        _ call: ServerCall,
        _ writer: ElementWriter<WatchResponse>
    ) async throws {
        let watch = engine.watchAuthorizationRequests(for: try session.approver())
        let run = {
            try await watch.run(
                send: { try await writer.write(WatchResponse(event: $0)) },
                delivering: { make in
                    try await writer.write { try await make().map { WatchResponse(event: $0).wireBytes() } }
                }
            )
        }
        guard request.watchID != 0 else {
            return try await run()
        }
        try await session.withStream(.watch(request.watchID), call, run)
    }
}
