import FoundationEssentials
import TTRPC
import Testing
import TillClient
import TillModel
import TillTesting
import TillWire

@Suite(.timeLimit(.minutes(10))) struct AuthorizationAgentTests {
    private let first = AuthorizationRequest.sample(1)
    private let second = AuthorizationRequest.sample(2)
    private let third = AuthorizationRequest.sample(3)

    /// The answers of a daemon with these open requests.
    private func methods(open requests: [AuthorizationRequest]) -> MethodTable {
        var methods = MethodTable()
        let page = ListAuthorizationRequestsResponse(requests: requests)
        methods.answer { (_: ListAuthorizationRequestsRequest) in page }
        methods.stream(
            WatchRequest.self,
            [WatchResponse()] + requests.map { WatchResponse(event: .requested($0)) }
        )
        return methods
    }

    @Test func aReconnectRepeatsNothingAndReportsWithdrawnRequests() async throws {
        try await ScriptedDaemon.run { daemon in
            let agent = AuthorizationAgent(daemon.configuration)
            var updates = agent.updates.makeAsyncIterator()
            try await daemon.serving(methods(open: [first, second])) {
                let reported = try await updates.next(3)
                #expect(reported == [.connection(.connected), .requested(first), .requested(second)])
            }
            let away = try await updates.next()
            guard case .connection(.disconnected) = away else {
                Issue.record("Expected the disconnection, got \(String(describing: away)).")
                return
            }
            try await daemon.serving(methods(open: [second, third])) {
                let reported = try await updates.next(3)
                let withdrawn = AuthorizationUpdate.withdrawn(id: first.id, kind: first.kind)
                #expect(reported == [.connection(.connected), withdrawn, .requested(third)])
            }
        }
    }

    @Test func anAnswerNamesTheRequestAndItsKind() async throws {
        try await ScriptedDaemon.run { daemon in
            let answers = Collector<AnswerRequest>()
            var methods = MethodTable()
            methods.answer { (request: AnswerRequest) async throws(RPCError) in
                answers.append(request)
                return AnswerResponse()
            }
            try await daemon.serving(methods) {
                let agent = AuthorizationAgent(daemon.configuration)
                try await agent.answer(.sample(1, .approval), approves: true, reason: "A birthday.")
                try await agent.answer(third.id, kind: .priceConsent, approves: false)
            }
            #expect(
                answers.values == [
                    AnswerRequest(
                        id: first.id,
                        kind: .approval,
                        approves: true,
                        reason: "A birthday.",
                        price: first.price
                    ),
                    AnswerRequest(id: third.id, kind: .priceConsent, approves: false),
                ]
            )
        }
    }

    @Test func thePageOfAPaymentIsAskedFor() async throws {
        try await ScriptedDaemon.run { daemon in
            let asked = Collector<PaymentPageRequest>()
            var methods = MethodTable()
            methods.answer { (request: PaymentPageRequest) async throws(RPCError) in
                asked.append(request)
                return PaymentPageResponse(url: "https://pay.example/1")
            }
            try await daemon.serving(methods) {
                let agent = AuthorizationAgent(daemon.configuration)
                let page = try await agent.paymentPage(first.id)
                #expect(page == "https://pay.example/1")
            }
            #expect(asked.values == [PaymentPageRequest(id: first.id)])
        }
    }

    @Test func theOpenRequestsAreListed() async throws {
        try await ScriptedDaemon.run { daemon in
            try await daemon.serving(methods(open: [first, second])) {
                var listed: [AuthorizationRequest] = []
                for try await request in AuthorizationAgent(daemon.configuration).requests {
                    listed.append(request)
                }
                #expect(listed == [first, second])
            }
        }
    }

    @Test func closingEndsUpdatesAndCalls() async throws {
        try await ScriptedDaemon.run { daemon in
            try await daemon.serving(methods(open: [])) {
                let agent = AuthorizationAgent(daemon.configuration)
                var updates = agent.updates.makeAsyncIterator()
                let reported = try await updates.next(1)
                #expect(reported == [.connection(.connected)])
                await agent.close()
                let end = try await updates.next()
                #expect(end == nil)
                await expect(.cancelled) { try await agent.answer(first, approves: true) }
            }
        }
    }

    @Test func aForbiddenWatchEndsWithItsError() async throws {
        try await ScriptedDaemon.run { daemon in
            var methods = MethodTable()
            methods[AuthorizationMethod.service, AuthorizationMethod.watch.rawValue] = .serverStreaming {
                (_, _, _) async throws(RPCError) in
                throw RPCError(code: .permissionDenied, message: "No.")
            }
            try await daemon.serving(methods) {
                await expect(.permissionDenied) {
                    for try await _ in AuthorizationAgent(daemon.configuration).updates {}
                }
            }
        }
    }
}

extension AuthorizationUpdates.AsyncIterator {
    /// Returns the next updates from the first connection on. On a busy machine, the first attempts may time out.
    fileprivate mutating func next(_ count: Int) async throws(TillError) -> [AuthorizationUpdate] {
        var updates: [AuthorizationUpdate] = []
        while updates.count < count, let update = try await next() {
            if case .connection(.disconnected) = update, updates.isEmpty {
                continue
            }
            updates.append(update)
        }
        return updates
    }
}
