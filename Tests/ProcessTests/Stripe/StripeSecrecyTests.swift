import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import StripeStandIn
import Testing
import TillClient
import TillHTTP
import TillModel

/// The key of Stripe's API, the signing secrets of webhooks, the addresses of payment pages and the numbers of cards appear in
/// no output of the daemon and in none of its files, even if it crashes.
///
/// `TILL_TRAPS` sets how often the daemon crashes.
@Suite(.timeLimit(.minutes(30))) struct StripeSecrecyTests {
    private static let traps = ProcessInfo.processInfo.environment["TILL_TRAPS"].flatMap { Int($0) } ?? 4
    private static let keys = ["rk_test_canary5d1f08", "rk_test_canary93e2c7"]
    private static let secrets = ["whsec_canary41ab07", "whsec_canaryd2906e"]
    /// The payer types it into Stripe's page.
    private static let card = "4242424242424242"
    private static let signals = [SIGABRT, SIGSEGV, SIGTRAP, SIGBUS]

    @Test func noOutputContainsASecretOrAPage() async throws {
        let server = try await StripeStandIn(
            .init { configuration in configuration.settings.keys = Self.keys.map { Settings.Key($0) } }
        )
        try await Site.with { site in
            let options =
                try site.stripe(key: Self.keys[0]) + ["--stripe-address", server.address, "--log-level", "trace"]
                + site.webhooks(at: "unix:\(site.webhookSocket)", secrets: Self.secrets)
            let endpoint = Settings.Endpoint(
                url: "unix:\(site.webhookSocket):/stripe/webhook",
                secrets: ["whsec_forged", Self.secrets[1]]
            )
            server.control.change { $0.webhooks = [endpoint] }
            var needles = (Self.keys + Self.secrets + [Self.card]).map { Data($0.utf8) }
            var outputs = Outputs(site)
            for trap in 0..<Self.traps {
                let daemon = try await site.startServingDaemon(
                    options,
                    environment: ["SWIFT_BACKTRACE": "enable=yes,color=no"]
                )
                needles.append(Data(try await Self.buy(at: site).utf8))
                let statuses = await server.control.deliverWebhooks()
                #expect(!statuses.isEmpty && statuses.allSatisfy { $0 == 200 }, "\(statuses)")
                outputs.note(process: daemon.processID)
                try outputs.noteState()
                daemon.signal(Self.signals[trap % Self.signals.count])
                #expect(await daemon.exit() != .status(0))
            }
            try outputs.noteFiles()
            #expect(needles.count == Self.traps + 5)
            #expect(outputs.found(needles) == [])
            // These controls prove that the search can find text, in logs and in the ledger.
            #expect(outputs.found([Data("Serving".utf8)]) == ["tilld.log"])
            #expect(!outputs.found([Data("cs_test_".utf8)]).isEmpty)
        }
        await server.stop()
    }

    /// A purchase that is declined with a key that Stripe no longer accepts, or with both, would fail.
    @Test func aKeyIsReplacedWhilePeopleBuy() async throws {
        let server = try await StripeStandIn(.init { $0.settings.keys = [Settings.Key(Self.keys[0])] })
        try await Site.with { site in
            let options = try site.stripe(key: Self.keys[0]) + ["--stripe-address", server.address]
            _ = try await site.startServingDaemon(options)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        for _ in 0..<4 {
                            _ = try await Self.buy(at: site)
                        }
                    }
                }
                server.control.addKey(Self.keys[1])
                _ = try site.stripe(key: Self.keys[1])
                try await site.waitUntilLogged("Stripe's key is in use")
                server.control.revokeKey(Self.keys[0])
                for _ in 0..<4 {
                    _ = try await Self.buy(at: site)
                }
                try await group.waitForAll()
            }
            #expect(server.control.movements().count == 20)
        }
        await server.stop()
    }

    /// Buys and pays on the page, and returns the page's address.
    private static func buy(at site: Site) async throws -> String {
        let queue = site.queue()
        let agent = AuthorizationAgent(queue.configuration)
        let payment = Payment(productID: TestStore.coins)
        _ = try await queue.add(payment)
        var page: String?
        while page == nil {
            page = try? await agent.paymentPage(payment.id)
            await Alarm.after(.milliseconds(5))
        }
        let address = try #require(page)
        try await pay(on: address)
        let end = try await queue.purchase(payment)
        #expect(end.state == .purchased)
        await agent.close()
        await queue.close()
        return address
    }

    /// Sends the page's form as a browser does. The answer sends the browser to the shop.
    private static func pay(on page: String) async throws {
        let client = try HTTPClient(
            .init(connectTimeout: .seconds(5), idleTimeout: .seconds(30), connectionsMaximum: 1)
        )
        let form = HTTPRequest.post(
            page,
            headers: HTTPHeaders([("Content-Type", "application/x-www-form-urlencoded")]),
            body: Array("action=pay&number=\(card)&expiry=12%2F34&cvc=123".utf8),
            isIdempotent: false
        )
        #expect(try await client.send(form).status == 303)
    }
}
