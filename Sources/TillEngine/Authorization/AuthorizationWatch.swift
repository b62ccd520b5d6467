import FoundationEssentials
import NIOConcurrencyHelpers
package import TillModel

/// An attached authorisation agent: it receives the questions that it may answer, and their withdrawals.
///
/// While it runs, payments of its account wait for an answer.
package final class AuthorizationWatch: Sendable {
    /// Open questions that an agent has at once; more follow as these are answered.
    package static let requestsMaximum = 256
    /// After this long without an event, a heartbeat shows that the stream is alive.
    package static let heartbeat = Duration.seconds(15)

    /// Calls `make` once the stream has capacity and sends the event that it returns. Returns whether there was one.
    package typealias Sink =
        @Sendable (_ make: () async throws -> AuthorizationEvent?) async throws -> Bool

    struct Question: Hashable, Sendable {
        var id: UUID
        var kind: AuthorizationRequest.Kind
        /// A question about another price is another question.
        var price: Price

        init(_ request: AuthorizationRequest) {
            id = request.id
            kind = request.kind
            price = request.price
        }
    }

    private let authorization: Authorization
    private let approver: Approver
    private let time: any TimeSource
    private let wake = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(_ authorization: Authorization, approver: Approver, time: any TimeSource) {
        self.authorization = authorization
        self.approver = approver
        self.time = time
    }

    /// Sends until the task is cancelled or `send` throws; nil is a heartbeat.
    package func run(send: @Sendable @escaping (AuthorizationEvent?) async throws -> Void) async throws {
        try await run(send: send) { make in
            guard let event = try await make() else {
                return false
            }
            try await send(event)
            return true
        }
    }

    /// The same, with each event made once the stream has capacity for it, so that a waiting stream holds none.
    package func run(
        send: @Sendable @escaping (AuthorizationEvent?) async throws -> Void,
        delivering deliver: @escaping Sink
    ) async throws {
        let number = authorization.agents.attach(account: approver.account, wake: wake.continuation)
        defer { authorization.agents.detach(number) }
        wake.continuation.yield()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.beat(send) }
            group.addTask { try await self.follow(send, deliver) }
            try await group.next()
            group.cancelAll()
        }
    }

    private func beat(_ send: @Sendable (AuthorizationEvent?) async throws -> Void) async throws {
        while true {
            try await time.sleep(for: Self.heartbeat)
            try await send(nil)
        }
    }

    private func follow(
        _ send: @Sendable (AuthorizationEvent?) async throws -> Void,
        _ deliver: Sink
    ) async throws {
        var known: Set<Question> = []
        for await _ in wake.stream {
            let questions = try await authorization.openQuestions(for: approver, limit: Self.requestsMaximum)
            let open = Set(questions.map(\.question))
            for question in known.subtracting(open) {
                try await send(.withdrawn(id: question.id, kind: question.kind))
                known.remove(question)
            }
            for (token, question) in questions where !known.contains(question) {
                let isSent = try await deliver {
                    try await authorization.openRequest(question, token: token).map { .requested($0) }
                }
                if isSent { known.insert(question) }
            }
        }
        try Task.checkCancellation()
    }
}

/// The attached authorisation agents, by account.
final class AgentRegistry: Sendable {
    private struct State {
        var next = 0
        var agents: [Int: (account: String, wake: AsyncStream<Void>.Continuation)] = [:]
        var counts: [String: Int] = [:]
    }

    private let state = NIOLockedValueBox(State())
    /// An element when an account gets its first agent or loses its last; for one reader.
    let accountChanges: AsyncStream<Void>
    private let accountChange: AsyncStream<Void>.Continuation

    init() {
        (accountChanges, accountChange) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// - Returns: The agent's number, for ``detach(_:)``.
    func attach(account: String, wake: AsyncStream<Void>.Continuation) -> Int {
        let (number, isFirst) = state.withLockedValue { state in
            state.next += 1
            state.agents[state.next] = (account, wake)
            state.counts[account, default: 0] += 1
            return (state.next, state.counts[account] == 1)
        }
        if isFirst { accountChange.yield() }
        return number
    }

    func detach(_ number: Int) {
        let isLast = state.withLockedValue { state in
            guard let agent = state.agents.removeValue(forKey: number) else {
                return false
            }
            state.counts[agent.account, default: 1] -= 1
            guard state.counts[agent.account] == 0 else {
                return false
            }
            state.counts[agent.account] = nil
            return true
        }
        if isLast { accountChange.yield() }
    }

    /// The accounts that have agents.
    var accounts: Set<String> {
        state.withLockedValue { Set($0.counts.keys) }
    }

    var count: Int {
        state.withLockedValue(\.agents.count)
    }

    func isAttached(account: String) -> Bool {
        state.withLockedValue { $0.counts[account] != nil }
    }

    /// Wakes every agent to look for questions again.
    func wakeAll() {
        let wakes = state.withLockedValue { $0.agents.values.map(\.wake) }
        wakes.forEach { $0.yield() }
    }
}
