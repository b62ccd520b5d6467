import FaultRuns
import Foundation
import ProcessTesting
import StripeStandIn
import Testing
import TillClient
import TillModel

/// The story of a subscription that is paid through Stripe, as `till why` tells it.
@Suite(.timeLimit(.minutes(10))) struct StripeSubscriptionTests {
    @Test func tillWhyTellsTheStoryOfASubscription() async throws {
        try await Story.with { story in
            try await story.isBoughtAndRenewed()
            try await story.needsItsPayerAndGetsANewCard()
            try await story.refundsAnOlderPeriod()
            try await story.winsADispute()
            try await story.losesADispute()
        }
    }
}

/// A shop with one subscription, whose daemon and stand-in for Stripe share a clock.
private struct Story {
    private static let product = "org.example.monthly"
    private static let key = "rk_test_abcdef"

    let site: Site
    let control: StripeControl
    let options: [String]
    private let daemon: Daemon

    /// The daemon that runs now.
    private final class Daemon {
        var process: ChildProcess

        init(_ process: ChildProcess) {
            self.process = process
        }
    }

    static func with(_ body: (Story) async throws -> Void) async throws {
        let server = try await StripeStandIn(.init { $0.settings.keys = [Settings.Key(key)] })
        try await Site.with(catalogue: try catalogue()) { site in
            let options = try site.stripe(.test, address: server.address) + ["--setting", "grace-period=true"]
            let daemon = Daemon(try await site.startServingDaemon(options))
            try await body(Story(site: site, control: server.control, options: options, daemon: daemon))
        }
        await server.stop()
    }

    private static func catalogue() throws -> Data {
        let subscription: [String: Any] = [
            "displayPrice": "4.99", "familyShareable": false, "groupNumber": 1, "internalID": "1", "localizations": [],
            "productID": product, "recurringSubscriptionPeriod": "P1M", "referenceName": "Monthly",
            "subscriptionGroupID": "G1", "type": "RecurringSubscription",
        ]
        let catalogue: [String: Any] = [
            "identifier": "STORY", "nonRenewingSubscriptions": [], "products": [],
            "settings": ["_storefront": "USA", "_locale": "en_US"],
            "subscriptionGroups": [
                ["id": "G1", "localizations": [], "name": "G", "subscriptions": [subscription]] as [String: Any]
            ],
            "version": ["major": 3, "minor": 0],
        ]
        return try JSONSerialization.data(withJSONObject: catalogue)
    }

    func isBoughtAndRenewed() async throws {
        let queue = site.queue()
        let payment = Payment(productID: Self.product)
        async let bought = queue.purchase(payment)
        while control.openSessions().isEmpty {
            await Alarm.after(.milliseconds(5))
        }
        try await expectWhy(payment.id, "It waits for its payer, who has to act on the provider's page.")
        #expect(control.pay(try #require(control.openSessions().first)) == .completed)
        #expect(try await bought.state == .purchased)
        await queue.close()
        try await expectWhy(payment.id, "It was purchased.", "Its subscription is in force.")
        try await advance(days: 31)
        #expect(charges == 2)
        try await expectWhy(try await latest().id, "Its subscription is in force.", "renewed until")
    }

    /// The hold outlives the daemon.
    func needsItsPayerAndGetsANewCard() async throws {
        try await setCard("pm_card_authenticationRequired")
        try await advance(days: 31)
        let id = try await latest().id
        let held = [
            "Its subscription is in force although its renewal was not paid for.",
            "The renewal is not tried again by itself, because the payment method cannot pay for it, or only if the payer"
                + " confirms that. It is tried at once when the payer changes the payment method.",
            "This transaction requires authentication.", "till resolve \(id.text)",
        ]
        try await expectWhy(id, held)
        let attempts = confirmations
        try await restart()
        try await advance(days: 8)
        #expect(confirmations == attempts)
        try await expectWhy(id, held)
        let card = ["action": "add", "number": "5555555555554444", "expiry": "12/34", "cvc": "123"]
        #expect(control.submit(card, toPortal: try await method("add")) != nil)
        try await news()
        try await wait { try await latest().id != id }
        #expect(charges == 3)
        #expect(try await method("list").contains("mastercard  4444"))
        let renewal = try await latest()
        #expect(renewal.id != id)
        try await expectWhy(renewal.id, "Its subscription is in force.")
    }

    func refundsAnOlderPeriod() async throws {
        let first = try #require(try await periods().first).id
        _ = try await till("refund", first.text)
        try await expectWhy(first, "Its subscription is in force.", "1 of 1 were revoked on")
    }

    /// The renewal waits for the bank, and is tried at once when it has decided.
    func winsADispute() async throws {
        let disputed = try await latest()
        let dispute = try control.openDispute(try await reference(of: disputed.id))
        try await news()
        let waits = "No renewal is charged while a dispute is open: it waits until \(dispute) is decided."
        try await expectWhy(
            disputed.id,
            "Its subscription is in force. \(waits)",
            "\(dispute) at the provider takes money back, and is not decided yet."
        )
        try await advance(days: 31)
        try await restart()
        try await expectWhy(
            disputed.id,
            "Its subscription is in force although its renewal was not paid for. \(waits)"
        )
        #expect(charges == 3)
        try control.closeDispute(dispute, "won")
        try await news()
        try await wait { try await latest().id != disputed.id }
        #expect(charges == 4)
        let renewal = try await latest()
        #expect(renewal.subscription?.startDate == disputed.subscription?.expirationDate)
        try await expectWhy(renewal.id, "Its subscription is in force.")
    }

    func losesADispute() async throws {
        let disputed = try await latest().id
        let dispute = try control.openDispute(try await reference(of: disputed))
        try await news()
        try await expectWhy(disputed, "it waits until \(dispute) is decided.")
        try control.closeDispute(dispute, "lost")
        try await news()
        try await expectWhy(disputed, "Its subscription is revoked.", "1 of 1 were revoked on")
        try await advance(days: 70)
        #expect(charges == 4)
        try await expectWhy(disputed, "Its subscription is revoked.")
    }
}

extension Story {
    private var charges: Int {
        control.movements().count { $0.kind == .charge }
    }

    private var confirmations: Int {
        control.requests().count { $0.path.hasSuffix("/confirm") }
    }

    /// Runs the command line, and returns what it printed.
    private func till(_ arguments: String...) async throws -> String {
        let log = "till-\(UUID().uuidString).log"
        let command = try site.start("till", Binaries.command, arguments + ["--socket", site.socket], log: log)
        let exit = await command.exit()
        let text = try String(contentsOfFile: site.path(log), encoding: .utf8)
        #expect(exit == .status(0), "till \(arguments.joined(separator: " ")): \(text)")
        return text
    }

    /// Waits until `till why` prints all of the sentences.
    private func expectWhy(_ id: UUID, _ sentences: String...) async throws {
        try await expectWhy(id, sentences)
    }

    private func expectWhy(_ id: UUID, _ sentences: [String]) async throws {
        var text = ""
        try await wait {
            text = try await till("why", id.text)
            return sentences.allSatisfy(text.contains)
        } orElse: {
            Issue.record("\(sentences.filter { !text.contains($0) }) is missing in: \(text)")
        }
    }

    private func wait(
        until isDone: () async throws -> Bool,
        orElse complain: () -> Void = { Issue.record("It did not happen in time.") }
    ) async throws {
        let deadline = ContinuousClock.now + .seconds(30)
        while try await !isDone() {
            guard ContinuousClock.now < deadline else {
                return complain()
            }
            await Alarm.after(.milliseconds(20))
        }
    }

    /// Moves both clocks, and returns once everything that is due by then is done.
    private func advance(days: Int) async throws {
        control.advance(by: .seconds(days * 86_400))
        _ = try await till("clock", "advance", "\(days)d")
    }

    /// What `till payment-method` prints.
    private func method(_ verb: String) async throws -> String {
        try await till("payment-method", verb, "--application", site.queue().configuration.application)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Lets the daemon ask Stripe for news.
    private func news() async throws {
        control.advance(by: .seconds(61))
        _ = try await till("clock", "advance", "61s")
    }

    private func restart() async throws {
        await daemon.process.killNow()
        daemon.process = try await site.startServingDaemon(options)
    }

    /// Makes another card the customer's default, as the payer can at Stripe.
    private func setCard(_ method: String) async throws {
        let intent = try await reference(of: try await latest().id)
        let customer = try #require(control.object(intent)?["customer"].string)
        try control.overwrite(customer, "invoice_settings", ["default_payment_method": .string(method)])
    }

    private func reference(of id: UUID) async throws -> String {
        try await asOperator { store in
            try #require(try await store.explanation(ofTransaction: id).charges.first?.reference)
        }
    }

    /// The transactions of the subscription's periods, the oldest first.
    private func periods() async throws -> [Transaction] {
        try await asOperator { store in
            var found: [Transaction] = []
            for try await item in store.transactions(matching: TransactionFilter(productID: Self.product)) {
                found.append(item.transaction)
            }
            return found
        }
    }

    private func latest() async throws -> Transaction {
        try #require(try await periods().last)
    }

    private func asOperator<Value>(_ body: (TillOperator) async throws -> Value) async throws -> Value {
        let store = TillOperator(site.queue().configuration)
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(store))
        } catch {
            result = .failure(error)
        }
        await store.close()
        return try result.get()
    }
}
