import Testing

/// A purchase requires an action outside the application first, such as agreeing to new terms.
@Suite(.timeLimit(.minutes(10))) struct InterruptionScenarios {
    @Test(arguments: [false, true])
    func anInterruptedPurchaseFailsAndIsContinuedOnceResolved(killsTheDaemon: Bool) async throws {
        try await Shop.open { shop in
            try await shop.set("interrupted-purchases=true")
            let failed = try await shop.buy(Notes.coins, "--quantity", "2", "--username", "ann", exits: 1)
            #expect(failed.state == "failed")
            #expect(failed.error?.name == "paymentCancelled")
            #expect(failed.error?.reason == "interrupted")
            #expect(try await shop.found("interrupted").map(\.id) == [failed.id])
            #expect(try shop.record().isEmpty)
            if killsTheDaemon {
                try await shop.daemon.kill()
                try await shop.daemon.start()
            }

            let resolved: TransactionLine = try await shop.till("resolve", failed.id).one()
            #expect(resolved.continues == failed.id)
            #expect(resolved.id != failed.id)
            let bought = try await shop.outcome(of: resolved)
            #expect(bought.state == "purchased")
            #expect(bought.continues == failed.id)
            #expect(bought.quantity == 2)
            #expect(bought.applicationUsername == "ann")
            #expect(try await shop.transactions().map(\.state) == ["failed", "purchased"])
            #expect(try shop.record().map(\.id) == [bought.id])
            #expect(try await shop.found("interrupted").isEmpty)
            try await shop.till("resolve", failed.id, exits: 65)
        }
    }

    @Test func anInterruptionShownAsDeferredContinuesAfterACrash() async throws {
        try await Shop.open(Catalogues.notes, ["--setting", "interrupted-as-deferred=true"]) { shop in
            try await shop.set("interrupted-purchases=true")
            let waiting = try await shop.buy(Notes.pro, "--no-wait")
            #expect(waiting.state == "deferred")
            #expect(waiting.blocker == "resolution")
            try await shop.daemon.kill()
            try await shop.daemon.start()
            #expect(try shop.record().isEmpty)

            try await shop.till("resolve", waiting.id)
            let bought = try await shop.outcome(of: waiting)
            #expect(bought.state == "purchased")
            #expect(bought.continues == nil)
            #expect(try await shop.transactions().count == 1)
            #expect(try shop.record().map(\.amount) == [1499])
        }
    }

    @Test func anUnresolvedInterruptionFails() async throws {
        try await Shop.open(Catalogues.notes, ["--setting", "interrupted-as-deferred=true"]) { shop in
            try await shop.set("interrupted-purchases=true")
            let waiting = try await shop.buy(Notes.coins, "--no-wait")
            try await shop.advance("25h")
            let failed = try await shop.outcome(of: waiting, exits: 1)
            #expect(failed.error?.reason == "expired")
            #expect(try shop.record().isEmpty)
        }
    }
}
