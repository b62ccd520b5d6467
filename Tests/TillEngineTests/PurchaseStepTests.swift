import FoundationEssentials
import Testing
@testable import TillEngine
import TillModel

/// The steps between a payment and its charge, for every setting and stage.
@Suite struct PurchaseStepTests {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)

    struct Row: CustomTestStringConvertible, Sendable {
        var name: String
        var stage = PurchaseStep.Stage.added
        var isAgentAttached = false
        var simulatesAskToBuy = false
        var settings: [StoreSettings.Key: String] = [:]
        var expected: String

        var testDescription: String { name }
    }

    static let rows = [
        Row(name: "nothing in the way", expected: "charge"),
        Row(name: "Ask to Buy", settings: [.askToBuy: "true"], expected: "deferred approval 86400"),
        Row(name: "Ask to Buy of the payment", simulatesAskToBuy: true, expected: "deferred approval 86400"),
        Row(
            name: "Ask to Buy replaces consent",
            isAgentAttached: true,
            settings: [.askToBuy: "true"],
            expected: "deferred approval 86400"
        ),
        Row(
            name: "Ask to Buy without dialogs",
            settings: [.askToBuy: "true", .disableDialogs: "true"],
            expected: "deferred approval 86400"
        ),
        Row(
            name: "approved",
            stage: .agreed,
            simulatesAskToBuy: true,
            settings: [.askToBuy: "true"],
            expected: "charge"
        ),
        Row(name: "an agent", isAgentAttached: true, expected: "purchasing authorization 600"),
        Row(
            name: "an agent, no dialogs",
            isAgentAttached: true,
            settings: [.disableDialogs: "true"],
            expected: "charge"
        ),
        Row(
            name: "an agent, refusing without one",
            isAgentAttached: true,
            settings: [.authorization: "refuse"],
            expected: "purchasing authorization 600"
        ),
        Row(name: "no agent, refused", settings: [.authorization: "refuse"], expected: "failed noAgent"),
        Row(name: "no agent, waiting", settings: [.authorization: "wait"], expected: "purchasing authorization 600"),
        Row(
            name: "no agent, refused, no dialogs",
            settings: [.authorization: "refuse", .disableDialogs: "true"],
            expected: "charge"
        ),
        Row(name: "agreed", stage: .agreed, isAgentAttached: true, expected: "charge"),
        Row(
            name: "interrupted",
            settings: [.interruptedPurchases: "true"],
            expected: "failed interrupted, to be continued"
        ),
        Row(
            name: "interrupted as deferred",
            settings: [.interruptedPurchases: "true", .interruptedAsDeferred: "true"],
            expected: "deferred resolution 86400"
        ),
        Row(name: "deferring without interruptions", settings: [.interruptedAsDeferred: "true"], expected: "charge"),
        Row(
            name: "consent comes before the interruption",
            isAgentAttached: true,
            settings: [.interruptedPurchases: "true"],
            expected: "purchasing authorization 600"
        ),
        Row(
            name: "agreed, then interrupted",
            stage: .agreed,
            settings: [.interruptedPurchases: "true"],
            expected: "failed interrupted, to be continued"
        ),
        Row(name: "resolved", stage: .resolved, settings: [.interruptedPurchases: "true"], expected: "charge"),
    ]

    @Test(arguments: rows) func stepsBetweenAPaymentAndItsCharge(row: Row) throws {
        var facts = PurchaseStep.Facts(
            simulatesAskToBuy: row.simulatesAskToBuy,
            isAgentAttached: row.isAgentAttached,
            now: Self.now
        )
        for (key, value) in row.settings {
            try facts.settings.set(key, to: value)
        }
        #expect(Self.summary(PurchaseStep.next(after: row.stage, facts)) == row.expected)
    }

    private static func summary(_ step: PurchaseStep) -> String {
        switch step {
        case .charge:
            "charge"
        case .wait(let state, let blocker, let deadline):
            "\(state) \(blocker) \(Int(deadline.timeIntervalSince(now)))"
        case .fail(let error, let isInterrupted):
            "failed \(error.reason)\(isInterrupted ? ", to be continued" : "")"
        }
    }
}
