import Glibc
import ProcessTesting
import Testing

/// An agent asks the user for consent, or no agent is connected.
@Suite(.timeLimit(.minutes(10))) struct AgentScenarios {
    private static let waits = ["--setting", "authorization=wait"]

    @Test func aPurchaseWaitsForAnAgentAndContinues() async throws {
        try await Shop.open(Catalogues.notes, Self.waits) { shop in
            let waiting = try await shop.buy(Notes.coins, "--no-wait")
            #expect(waiting.state == "purchasing")
            #expect(waiting.blocker == "authorization")
            #expect(try await shop.requests().map(\.kind) == ["purchase"])
            #expect(try shop.record().isEmpty)

            let agent = try shop.start(["agent", "--yes"])
            #expect(try await shop.outcome(of: waiting).state == "purchased")
            let second = try await shop.buy(Notes.pro)
            #expect(second.state == "purchased")
            agent.process.signal(SIGTERM)
            #expect(await agent.process.exit() == .status(0))
            let answers = try agent.printed.all(AnswerLine.self)
            #expect(answers.map(\.id) == [waiting.id, second.id])
            #expect(answers.allSatisfy { $0.outcome == "approved" })
        }
    }

    @Test func aQuestionOutlivesItsAgentAndItsDaemonAndAnotherAgentAnswers() async throws {
        try await Shop.open(Catalogues.notes, Self.waits) { shop in
            let terminal = try Terminal()
            let agent = try shop.startAgent(on: terminal)
            let waiting = try await shop.buy(Notes.coins, "--no-wait")
            try await shop.until("the agent does not ask") { terminal.shown.contains("Pay? y, N or skip:") }
            #expect(terminal.shown.contains("for $0.99"), "the terminal shows: \(terminal.shown)")
            await agent.process.killNow()
            try await shop.daemon.kill()
            try await shop.daemon.start()
            #expect(try await shop.requests().map(\.id) == [waiting.id])
            #expect(try await shop.transactions().map(\.state) == ["purchasing"])

            let other = try shop.startAgent(on: terminal, "--once")
            try await shop.until("the agent does not take the answer") {
                // Input that was typed before the question does not count.
                terminal.type("y\n")
                return !other.process.isRunning
            }
            #expect(try await shop.outcome(of: waiting).state == "purchased")
        }
    }

    @Test func anAgentThatDeclinesCancelsThePurchase() async throws {
        try await Shop.open { shop in
            let agent = try shop.start(["agent", "--no", "--once"])
            // Without an agent, this store accepts payments without consent.
            try await shop.until("no agent answers") {
                let printed = try await shop.run(["buy", Notes.coins, "--no-wait"], #_sourceLocation)
                return try printed.one(TransactionLine.self).blocker == "authorization"
            }
            #expect(await agent.process.exit() == .status(0))
            let declined: AnswerLine = try agent.printed.one()
            #expect(declined.outcome == "declined")
            let failed = try #require(try await shop.transactions().first { $0.id == declined.id })
            #expect(failed.error?.name == "paymentCancelled")
            #expect(failed.error?.reason == "cancelled")
        }
    }

    @Test func aStoreThatRequiresConsentRefusesWithoutAnAgent() async throws {
        try await Shop.open(Catalogues.notes, ["--setting", "authorization=refuse"]) { shop in
            let refused = try await shop.buy(Notes.coins, exits: 1)
            #expect(refused.error?.reason == "no_agent")
            #expect(refused.error?.moneyMoved == "no")
            #expect(try shop.record().isEmpty)
        }
    }
}
