import TillClient

/// Answers questions, one at a time, by what a person types or by a rule.
struct Agent: Sendable {
    enum Policy: Hashable, Sendable {
        case always(Bool)
        /// A person has so long, if that is not nil, before the answer is no.
        case ask(timeout: Duration?)
    }

    let policy: Policy
    /// Whether the first answer is the last.
    let isOnce: Bool
    let console: Console
    /// Tells the daemon.
    let answer: @Sendable (AuthorizationRequest, Bool) async throws(TillError) -> Void
    /// Tells the user.
    let report: @Sendable (AnswerLine) throws -> Void

    /// Asks what comes until the updates end, or the person leaves.
    func run(_ updates: some AsyncSequence<AuthorizationUpdate, TillError> & Sendable) async throws {
        let inbox = AgentInbox()
        try await withThrowingTaskGroup { group in
            group.addTask { try await collect(updates, in: inbox) }
            group.addTask { try await work(off: inbox) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func collect(
        _ updates: some AsyncSequence<AuthorizationUpdate, TillError>,
        in inbox: AgentInbox
    ) async throws {
        var isLost = false
        for try await update in updates {
            switch update {
            case .requested(let request):
                if await !inbox.add(request) {
                    console.notice("Too many questions at once; till requests lists \(request.id.text) too.")
                }
            case .withdrawn(let id, let kind):
                await inbox.remove(id: id, kind: kind)
            case .connection(.disconnected):
                console.notice("The connection is lost; waiting for the daemon.")
                isLost = true
            case .connection(.connected) where isLost:
                console.notice("The connection is back.")
                isLost = false
            case .connection(.connected):
                break
            }
        }
    }

    private func work(off inbox: AgentInbox) async throws {
        while let request = await inbox.first() {
            var outcome = try await decide(request, inbox)
            guard outcome != .left else {
                return
            }
            if let approves = outcome.approval {
                switch try await tell(request, approves) {
                case .taken: break
                case .late: outcome = .withdrawn
                case .lost: continue
                }
            }
            await inbox.remove(id: request.id, kind: request.kind)
            try report(AnswerLine(id: request.id, kind: request.kind, outcome: outcome))
            if isOnce, outcome.approval != nil {
                return
            }
        }
    }

    private enum Receipt {
        case taken, late
        /// Perhaps taken; the same answer again is harmless.
        case lost
    }

    private func tell(_ request: AuthorizationRequest, _ approves: Bool) async throws -> Receipt {
        do {
            try await answer(request, approves)
            return .taken
        } catch {
            switch error.code {
            case .failedPrecondition, .notFound:
                return .late
            case .unavailable, .deadlineExceeded:
                console.notice("The answer did not reach the daemon; the question comes again if it is still open.")
                return .lost
            default:
                throw error
            }
        }
    }

    private func decide(_ request: AuthorizationRequest, _ inbox: AgentInbox) async throws -> AgentOutcome {
        switch policy {
        case .always(let approves):
            approves ? .approved : .declined
        case .ask(let timeout):
            try await ask(request, timeout, inbox)
        }
    }

    /// What comes first: an answer, the end of the time, or an answer given elsewhere.
    ///
    /// What is typed belongs to the question that was shown, and never to the next one.
    private func ask(
        _ request: AuthorizationRequest,
        _ timeout: Duration?,
        _ inbox: AgentInbox
    ) async throws -> AgentOutcome {
        let outcome = try await withThrowingTaskGroup(of: AgentOutcome.self) { group in
            group.addTask { await converse(request) }
            group.addTask {
                await inbox.waitUntilGone(request)
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
        case .withdrawn: console.show?("\nAnswered elsewhere, or too late.\n")
        case .declinedAfterTimeout: console.show?("\nNo answer in time.\n")
        case .approved, .declined, .skipped, .left: break
        }
        return outcome
    }

    private func converse(_ request: AuthorizationRequest) async -> AgentOutcome {
        let prompt = AgentPrompt(request: request)
        console.show?(prompt.lines.map { "\($0)\n" }.joined() + prompt.question)
        while let line = await console.readLine?() {
            if let outcome = AgentOutcome(typed: line) {
                return outcome
            }
            console.show?("Type y to agree, n to decline, s to leave it to others: ")
        }
        return .left
    }
}
