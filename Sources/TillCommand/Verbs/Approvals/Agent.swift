import FoundationEssentials
import TillClient
import TillOutput

/// Answers requests, one at a time, by asking the user or by a rule.
struct Agent: Sendable {
    enum Policy: Hashable, Sendable {
        case always(Bool)
        /// The user is asked. After the timeout, if there is one, the request is declined.
        case ask(timeout: Duration?)
    }

    let policy: Policy
    /// Whether the agent ends after the first answer.
    let isOnce: Bool
    let console: Console
    /// Sends an answer to the daemon.
    let answer: @Sendable (AuthorizationRequest, Bool) async throws(TillError) -> Void
    /// Fetches the page of a payment.
    let page: @Sendable (AuthorizationRequest) async throws(TillError) -> String
    /// Opens a page in the user's browser; nil to leave that to the user.
    let open: (@Sendable (String) throws -> Void)?
    /// Prints an outcome for the user.
    let report: @Sendable (AnswerLine) throws -> Void

    /// Answers requests until the updates end or the user ends the agent.
    func run(_ updates: some AsyncSequence<AuthorizationUpdate, TillError> & Sendable) async throws {
        let inbox = AgentInbox()
        try await withThrowingTaskGroup { group in
            group.addTask { try await collect(updates, in: inbox) }
            group.addTask { try await answerAll(in: inbox) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func collect(
        _ updates: some AsyncSequence<AuthorizationUpdate, TillError>,
        in inbox: AgentInbox
    ) async throws {
        var connection = ConnectionNotices(daemon: "the daemon")
        for try await update in updates {
            switch update {
            case .requested(let request):
                if await !inbox.add(request) {
                    console.notice("Too many open requests: use till requests to see \(request.id.text).")
                }
            case .withdrawn(let id, let kind):
                await inbox.remove(id: id, kind: kind)
            case .connection(let state):
                connection.notice(isConnected: state == .connected, console)
            }
        }
    }

    private func answerAll(in inbox: AgentInbox) async throws {
        while let request = await inbox.first() {
            let page = try await page(for: request)
            var outcome = try await decide(request, page, inbox)
            guard outcome != .left else {
                return
            }
            if let approves = outcome.approval {
                switch try await send(approves, for: request) {
                case .delivered: break
                case .late: outcome = .withdrawn
                case .lost: continue
                }
            }
            await inbox.remove(id: request.id, kind: request.kind)
            let line = AnswerLine(id: request.id, kind: request.kind, outcome: outcome, page: page.address)
            try report(line)
            if isOnce, outcome.isAnswer {
                return
            }
        }
    }

    /// The page on which a request is answered.
    private enum Page {
        /// The request is answered here.
        case none
        case at(String)
        /// It could not be fetched.
        case unknown
        /// The payment no longer waits for its payer.
        case gone

        var address: String? {
            if case .at(let address) = self { address } else { nil }
        }
    }

    /// Fetches the page of a payment that the agent shall show, and opens it.
    private func page(for request: AuthorizationRequest) async throws -> Page {
        guard request.kind == .payment, policy != .always(false) else {
            return .none
        }
        let address: String
        do {
            address = try await page(request)
        } catch {
            switch error.code {
            case .failedPrecondition, .notFound:
                return .gone
            case .unavailable, .deadlineExceeded:
                console.notice("No page for \(request.id.text): \(error.message) See till payment-page.")
                return .unknown
            default:
                throw error
            }
        }
        console.open(page: address, with: open)
        return .at(address)
    }

    private enum Sending {
        case delivered, late
        /// The answer may have been delivered. Sending it again is harmless.
        case lost
    }

    private func send(_ approves: Bool, for request: AuthorizationRequest) async throws -> Sending {
        do {
            try await answer(request, approves)
            return .delivered
        } catch {
            switch error.code {
            case .failedPrecondition, .notFound:
                return .late
            case .unavailable, .deadlineExceeded:
                console.notice("The answer did not reach the daemon; the request returns if it is still open.")
                return .lost
            default:
                throw error
            }
        }
    }

    private func decide(
        _ request: AuthorizationRequest,
        _ page: Page,
        _ inbox: AgentInbox
    ) async throws -> AgentOutcome {
        switch (policy, page) {
        case (_, .gone): .withdrawn
        case (.always(false), _): .declined
        case (.always(true), .none): .approved
        case (.always(true), .at): .shown
        case (.always(true), .unknown): .skipped
        case (.ask(let timeout), _): try await ask(AgentPrompt(request: request, page: page.address), timeout, inbox)
        }
    }

    /// Asks the user, and returns the first outcome: an answer, the timeout, or a withdrawal.
    ///
    /// An answer always belongs to the request that is shown, never to the next one.
    private func ask(
        _ prompt: AgentPrompt,
        _ timeout: Duration?,
        _ inbox: AgentInbox
    ) async throws -> AgentOutcome {
        let outcome = try await withThrowingTaskGroup(of: AgentOutcome.self) { group in
            group.addTask { await converse(prompt) }
            group.addTask {
                await inbox.waitUntilGone(prompt.request)
                return .withdrawn
            }
            if let timeout {
                group.addTask {
                    try await console.sleep(timeout)
                    return .declinedAfterTimeout
                }
            }
            defer { group.cancelAll() }
            return try await group.next() ?? .left
        }
        switch outcome {
        case .withdrawn: console.show?("\n\(prompt.withdrawal)\n")
        case .declinedAfterTimeout: console.show?("\nDeclined after the timeout.\n")
        case .approved, .declined, .shown, .skipped, .left: break
        }
        return outcome
    }

    private func converse(_ prompt: AgentPrompt) async -> AgentOutcome {
        console.show?(prompt.lines.map { "\($0)\n" }.joined() + prompt.question)
        while let line = await console.readLine?() {
            if let outcome = prompt.outcome(typed: line) {
                return outcome
            }
            console.show?(prompt.hint)
        }
        return .left
    }
}

/// The open requests, in order of arrival.
actor AgentInbox {
    /// The maximum number of waiting requests. Others stay open at the daemon.
    static let capacity = 1024

    private var open: [AuthorizationRequest] = []
    /// Wakes the one task that waits for a change.
    private var signal: AsyncStream<Void>.Continuation?

    /// - Returns: Whether the inbox has room for the request.
    func add(_ request: AuthorizationRequest) -> Bool {
        remove(id: request.id, kind: request.kind)
        guard open.count < Self.capacity else {
            return false
        }
        open.append(request)
        signal?.yield()
        return true
    }

    func remove(id: UUID, kind: AuthorizationRequest.Kind) {
        open.removeAll { $0.id == id && $0.kind == kind }
        signal?.yield()
    }

    /// Waits for a request, which stays until it is removed. Returns nil when the task is cancelled.
    func first() async -> AuthorizationRequest? {
        for await _ in changes() {
            if let first = open.first {
                return first
            }
        }
        return nil
    }

    /// Returns once the request was removed or replaced, or when the task is cancelled.
    func waitUntilGone(_ request: AuthorizationRequest) async {
        for await _ in changes() where !open.contains(request) {
            return
        }
    }

    /// A stream of changes, whose first element is available immediately.
    private func changes() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield()
        signal = continuation
        return stream
    }
}
