import Glibc
import ProcessTesting
import Testing

/// The buyer's approver approves, declines or does not answer.
@Suite(.timeLimit(.minutes(10))) struct AskToBuyScenarios {
    @Test func aPurchaseThatIsApprovedIsChargedAndPurchased() async throws {
        try await Shop.open { shop in
            try await shop.set("ask-to-buy=true")
            let asked = try await shop.buy(Notes.coins, "--quantity", "2", "--no-wait")
            #expect(asked.state == "deferred")
            #expect(asked.blocker == "approval")
            let request = try #require(try await shop.requests().first)
            #expect(request.id == asked.id)
            #expect(request.kind == "approval")
            #expect(request.price == "1.98")
            #expect(try shop.record().isEmpty, "the payment was charged before its approval")

            try await shop.till("approve", asked.id, "--reason", "Asked at home.")
            let bought = try await shop.outcome(of: asked)
            #expect(bought.state == "purchased")
            #expect(bought.quantity == 2)
            #expect(try await shop.requests().isEmpty)
            #expect(try shop.record().map(\.amount) == [198])
        }
    }

    @Test func aPurchaseThatIsDeclinedFailsAndCostsNothing() async throws {
        try await Shop.open { shop in
            // This asks for approval of this payment only, without a store setting.
            let asked = try await shop.buy(Notes.pro, "--ask-to-buy", "--no-wait")
            #expect(asked.state == "deferred")
            try await shop.till("decline", asked.id)
            #expect(try await shop.till("audit").text.contains(#""reason":"none given""#))
            let declined = try await shop.outcome(of: asked, "--ask-to-buy", exits: 1)
            #expect(declined.state == "failed")
            #expect(declined.error?.reason == "declined")
            #expect(declined.error?.moneyMoved == "no")
            try await shop.till("approve", asked.id, exits: 65)
            #expect(try shop.record().isEmpty)

            let bought = try await shop.buy(Notes.pro)
            #expect(bought.state == "purchased", "a declined purchase may be tried again")
        }
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func anInterruptedWaitNamesThePaymentAndEndsByItsSignal(signal: Int32) async throws {
        try await Shop.open { shop in
            let buying = try shop.start(["buy", Notes.coins, "--ask-to-buy"])
            try await shop.until("no purchase is deferred") {
                try await shop.transactions().map(\.state) == ["deferred"]
            }
            buying.process.signal(signal)
            #expect(await buying.process.exit() == .signal(signal))
            let left = try #require(try await shop.transactions().first)
            #expect(left.state == "deferred", "the payment is not deferred any more")
            let printed = try buying.printed
            #expect(printed.text.isEmpty)
            #expect(printed.errors.hasSuffix("retry the same payment with --payment-id \(left.id).\n"))
        }
    }

    @Test func onATerminalTheReasonOfAWaitIsShown() async throws {
        try await Shop.open { shop in
            let terminal = try Terminal()
            let buying = try shop.start(["buy", Notes.coins, "--ask-to-buy"], on: terminal)
            try await shop.until("the command prints no reason") {
                terminal.shown.contains("The purchase is deferred until somebody approves it;")
            }
            let request = try #require(try await shop.requests().first)
            try await shop.till("approve", request.id)
            #expect(await buying.process.exit() == .status(0))
            #expect(try buying.printed.one(TransactionLine.self).state == "purchased")
        }
    }

    @Test func anUnansweredRequestExpiresAcrossTwoRestarts() async throws {
        try await Shop.open { shop in
            try await shop.set("ask-to-buy=true")
            let asked = try await shop.buy(Notes.coins, "--no-wait")
            try await shop.daemon.kill()
            try await shop.daemon.start()
            try await shop.advance("12h")
            try await shop.daemon.stop()
            try await shop.daemon.start()
            #expect(try await shop.transactions().map(\.state) == ["deferred"], "it expired before a day was over")

            try await shop.advance("13h")
            let ended = try await shop.transactions()
            #expect(ended.map(\.id) == [asked.id])
            #expect(ended.map(\.state) == ["failed"])
            #expect(ended.first?.error?.reason == "expired")
            #expect(ended.first?.error?.moneyMoved == "no")
            #expect(try await shop.requests().isEmpty)
            try await shop.till("approve", asked.id, exits: 65)
            #expect(try shop.record().isEmpty)
            #expect(
                try await shop.callbacks().compactMap(\.transaction?.state) == ["failed"],
                "the expired purchase is not delivered"
            )
        }
    }
}
