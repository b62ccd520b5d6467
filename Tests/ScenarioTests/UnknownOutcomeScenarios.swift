import Testing

/// The provider does not report the outcome of a charge.
@Suite(.timeLimit(.minutes(10))) struct UnknownOutcomeScenarios {
    @Test func aChargeThatTimedOutIsFoundAndNotRepeated() async throws {
        try await Shop.open { shop in
            try await shop.set("provider-timeout-after=\(Notes.coins)")
            let unknown = try await shop.buy(Notes.coins, "--no-wait")
            try await shop.until("the provider is not called") {
                try await shop.why(unknown.id).charges.map(\.attempts) == [1]
            }
            try await shop.daemon.kill()
            try await shop.daemon.start()
            #expect(try await shop.outcome(of: unknown).state == "purchased")
            #expect(try shop.record().count == 1)
        }
    }

    @Test(arguments: [true, false])
    func anUnknownChargeIsReviewedAndNeverRepeated(wasCharged: Bool) async throws {
        try await Shop.open { shop in
            let unknown = try await losePayment(shop, wasCharged: wasCharged)
            #expect(try shop.record().map(\.id) == (wasCharged ? [unknown.id] : []))
            try await shop.advance("25h")
            let failed = try await shop.outcome(of: unknown, exits: 1)
            #expect(failed.error?.reason == "outcome_unknown")
            #expect(failed.error?.moneyMoved == "unknown")
            #expect(failed.error?.retry == "after_reconciliation")
            #expect(try await shop.found("needs-review").map(\.id) == [unknown.id])
            #expect(try await shop.why(unknown.id).charges.map(\.state) == ["needs_review"])
            #expect(try await shop.why(unknown.id).actions.contains { $0.contains("--not-charged") })

            try await shop.till("resolve", unknown.id, exits: 65)
            let finding = wasCharged ? ["--charged", "sim_\(unknown.id)"] : ["--not-charged"]
            let resolved = try await shop.resolve(unknown.id, finding)
            #expect(resolved.state == (wasCharged ? "purchased" : "failed"))
            #expect(resolved.continues == (wasCharged ? unknown.id : nil))
            #expect(try await shop.found("needs-review").isEmpty)
            // The provider is reachable again, and does not know the payment any more.
            try await shop.till("settings", "reset", "provider-unreachable")
            try await shop.daemon.kill()
            try await shop.daemon.start()
            try await shop.advance("25h")
            #expect(try shop.record().count == (wasCharged ? 1 : 0), "the payment was charged again")
            #expect(try await shop.till("reconcile").text.isEmpty, "the books disagree")
            try await shop.till("audit", "verify")
        }
    }

    /// Buys from a provider that forgets the payment before it answers.
    private func losePayment(_ shop: Shop, wasCharged: Bool) async throws -> TransactionLine {
        try await shop.set("provider-forget-keys=true")
        if wasCharged {
            // The provider charges an hour after the timeout.
            try await shop.set("provider-timeout-during=\(Notes.coins100)", "provider-delay=3600")
        } else {
            try await shop.set("provider-unreachable=\(Notes.coins100)")
        }
        let unknown = try await shop.buy(Notes.coins100, "--no-wait")
        try await shop.until("the provider is not called") {
            try await shop.why(unknown.id).charges.contains { $0.attempts > 0 }
        }
        if wasCharged {
            try await shop.set("provider-unreachable=\(Notes.coins100)")
            try await shop.advance("1h")
            try await shop.until("the payment is not charged") { try !shop.record().isEmpty }
        }
        return unknown
    }
}

extension Shop {
    fileprivate func why(_ id: String) async throws -> ExplanationLine {
        try await till("why", id).one()
    }

    fileprivate func resolve(_ id: String, _ finding: [String]) async throws -> TransactionLine {
        try await run(["resolve", id] + finding + ["--reason", "Looked it up."], #_sourceLocation).one()
    }
}
