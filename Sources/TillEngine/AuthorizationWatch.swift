import FoundationEssentials
package import TillModel

/// An authorisation agent at work: it is told of the questions that it may answer, and of their end.
///
/// While it runs, payments of its account wait for an answer.
package final class AuthorizationWatch: Sendable {
    /// Questions that an agent is told of at once; more come as these are answered.
    package static let requestsMaximum = 256
    /// Without anything new for this long, a heartbeat shows that the stream is alive.
    package static let heartbeat = Duration.seconds(15)

    private struct Question: Hashable {
        var id: UUID
        var kind: AuthorizationRequest.Kind
    }

    private let engine: PaymentEngine
    private let approver: Approver
    private let wake = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(engine: PaymentEngine, approver: Approver) {
        self.engine = engine
        self.approver = approver
    }

    /// Sends until the task is cancelled or `send` throws; nil is a heartbeat.
    package func run(send: @Sendable @escaping (AuthorizationEvent?) async throws -> Void) async throws {
        let number = engine.agents.attach(account: approver.account, wake: wake.continuation)
        defer { engine.agents.detach(number) }
        wake.continuation.yield()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.beat(send) }
            group.addTask { try await self.follow(send) }
            try await group.next()
            group.cancelAll()
        }
    }

    private func beat(_ send: @Sendable (AuthorizationEvent?) async throws -> Void) async throws {
        while true {
            try await engine.time.sleep(for: Self.heartbeat)
            try await send(nil)
        }
    }

    private func follow(_ send: @Sendable (AuthorizationEvent?) async throws -> Void) async throws {
        var known: [Question: AuthorizationRequest] = [:]
        for await _ in wake.stream {
            let requests = try await engine.openRequests(for: approver, limit: Self.requestsMaximum)
            let open = Dictionary(requests.map { (Question(id: $0.id, kind: $0.kind), $0) }) { first, _ in first }
            for question in known.keys where open[question] == nil {
                try await send(.withdrawn(id: question.id, kind: question.kind))
            }
            for request in requests where known[Question(id: request.id, kind: request.kind)] == nil {
                try await send(.requested(request))
            }
            known = open
        }
        try Task.checkCancellation()
    }
}
