import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import StripeStandIn
import Testing
import TillClient
import TillModel

/// A daemon that charges at a stand-in for Stripe.
@Suite(.timeLimit(.minutes(5))) struct StripeDaemonTests {
    private static let key = "rk_test_abcdef"

    private static func with(
        _ configure: (inout Settings) -> Void = { _ in },
        _ body: (Site, StripeControl, [String]) async throws -> Void
    ) async throws {
        let server = try await StripeStandIn(
            .init { configuration in
                configuration.settings.keys = [Settings.Key(key)]
                configure(&configuration.settings)
            }
        )
        try await Site.with { site in
            try await body(site, server.control, try site.stripe(.test, address: server.address))
        }
        await server.stop()
    }

    /// Waits until the ledger has the name of the payment's page, and returns it.
    private static func page(of payment: Payment, at site: Site) async throws -> String {
        let store = TillOperator(site.queue().configuration)
        while true {
            let charges = try? await store.explanation(ofTransaction: payment.id).charges
            if let name = charges?.first?.reference {
                await store.close()
                return name
            }
            await Alarm.after(.milliseconds(5))
        }
    }

    /// Buys, and pays on the page.
    private static func buy(at site: Site, _ control: StripeControl) async throws {
        let queue = site.queue()
        let payment = Payment(productID: TestStore.coins)
        async let bought = queue.purchase(payment)
        #expect(control.pay(try await page(of: payment, at: site)) == .completed)
        #expect(try await bought.state == .purchased)
        await queue.close()
    }

    @Test(arguments: [nil, "pm_card_threeDSecure2Required"])
    func aPurchaseIsPaidOnThePage(method: String?) async throws {
        try await Self.with { site, control, options in
            _ = try await site.startServingDaemon(options)
            let queue = site.queue()
            let payment = Payment(productID: TestStore.coins)
            async let bought = queue.purchase(payment)
            let session = try await Self.page(of: payment, at: site)
            let result = control.pay(session, with: method ?? "pm_card_visa")
            if case .authenticationRequired(let intent) = result {
                #expect(control.authenticate(intent) == .completed)
            }
            #expect(try await bought.state == .purchased)
            #expect(control.movements().map(\.amount) == [99])
            await queue.close()
        }
    }

    /// The agent opens the page in the payer's browser, which is a script here.
    @Test func theAgentOpensThePage() async throws {
        try await Self.with { site, control, options in
            _ = try await site.startServingDaemon(options)
            let opened = site.path("opened")
            try "#!/bin/sh\necho \"$1\" >> \(opened)\n".write(
                toFile: site.path("xdg-open"),
                atomically: true,
                encoding: .utf8
            )
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: site.path("xdg-open"))
            let agent = try site.start(
                "till",
                Binaries.command,
                ["agent", "--socket", site.socket, "--yes", "--open", "--once", "--json"],
                log: "agent.log",
                environment: ["PATH": "\(site.directory):/usr/bin:/bin"]
            )
            let queue = site.queue()
            let payment = Payment(productID: TestStore.coins)
            async let bought = queue.purchase(payment)
            #expect(await agent.exit() == .status(0))
            while !FileManager.default.fileExists(atPath: opened) {
                await Alarm.after(.milliseconds(5))
            }
            let page = try String(contentsOfFile: opened, encoding: .utf8).trimmingCharacters(in: .newlines)
            let session = try await Self.page(of: payment, at: site)
            #expect(page.hasSuffix("/\(session)"))
            let printed = try String(contentsOfFile: site.path("agent.log"), encoding: .utf8)
            #expect(printed.contains("\"outcome\":\"shown\"") && printed.contains("\"page\":\"\(page)\""), "\(printed)")
            #expect(control.pay(session) == .completed)
            #expect(try await bought.state == .purchased)
            #expect(try !site.log().contains(page))
            await queue.close()
        }
    }

    /// Kills the daemon while the payer is on the page.
    @Test(arguments: [true, false])
    func aPurchaseSurvivesTheDaemon(pays: Bool) async throws {
        try await Self.with { site, control, options in
            let daemon = try await site.startServingDaemon(options)
            let queue = site.queue()
            let payment = Payment(productID: TestStore.coins)
            _ = try await queue.add(payment)
            let session = try await Self.page(of: payment, at: site)
            await daemon.killNow()
            if pays {
                #expect(control.pay(session) == .completed)
            } else {
                control.advance(by: .seconds(5_000))
            }
            _ = try await site.startServingDaemon(options)
            let end = try await queue.purchase(payment)
            #expect(end.state == (pays ? .purchased : .failed))
            #expect(end.error?.reason == (pays ? nil : .expired))
            #expect(control.movements().count == (pays ? 1 : 0))
            #expect(control.requests().count { $0.path == "/v1/checkout/sessions" && $0.method == "POST" } == 1)
            await queue.close()
        }
    }

    @Test func aKeyThatStripeDoesNotAcceptIsRefused() async throws {
        try await Self.with { site, control, options in
            control.revokeKey(Self.key)
            let daemon = try site.startDaemon(options)
            #expect(await daemon.exit() == .status(EX_CONFIG))
            #expect(try site.log().contains("Stripe does not accept the key"))
        }
    }

    @Test func aStopIsNoFailure() async throws {
        try await Self.with { site, _, options in
            let daemon = try await site.startServingDaemon(options)
            daemon.signal(SIGTERM)
            #expect(await daemon.exit() == .status(0))
            #expect(try !site.log().contains("The provider failed"))
        }
    }

    @Test func aLedgerBelongsToItsAccount() async throws {
        try await Self.with { site, control, options in
            let first = try await site.startServingDaemon(options)
            first.signal(SIGTERM)
            #expect(await first.exit() == .status(0))
            control.addKey(Self.key, account: "acct_other")
            let second = try site.startDaemon(options)
            #expect(await second.exit() == .status(EX_CONFIG))
            #expect(try site.log().contains("(test mode, account \(control.settings.account)), not to"))
            let simulated = try site.startDaemon()
            #expect(await simulated.exit() == .status(EX_CONFIG))
            #expect(try site.log().contains("not to the provider simulated"))
        }
    }

    @Test func aFirstStartNeedsStripe() async throws {
        try await Site.with { site in
            let daemon = try site.startDaemon(try site.stripe(.test))
            #expect(await daemon.exit() == .status(EX_TEMPFAIL))
            #expect(try site.log().contains("try again when Stripe can be reached"))
        }
    }

    /// A later start serves without Stripe, and charges once it can be reached; no key of another account is used.
    @Test func aLaterStartWaitsForStripe() async throws {
        try await Self.with { site, control, options in
            let first = try await site.startServingDaemon(options)
            first.signal(SIGTERM)
            #expect(await first.exit() == .status(0))
            control.addFault(Fault(.reset(.before), path: "/v1/account", count: 2))
            _ = try await site.startServingDaemon(options)
            try await Self.buy(at: site, control)
        }
    }

    /// The comparison continues where it was.
    @Test func theBooksAreComparedWhileStripeFails() async throws {
        try await Self.with { site, control, options in
            _ = try await site.startServingDaemon(options)
            try await Self.buy(at: site, control)
            control.addFault(Fault(.error(500, .before), method: "GET", path: "/v1/payment_intents", count: 2))
            let reconcile = try site.start(
                "till",
                Binaries.command,
                ["reconcile", "--socket", site.socket],
                log: "reconcile.log"
            )
            #expect(await reconcile.exit() == .status(0))
            let printed = try String(contentsOfFile: site.path("reconcile.log"), encoding: .utf8)
            #expect(printed == "The ledger and the provider agree: 1 charge compared.\n")
        }
    }

    @Test func aReplacedKeyIsUsedWithoutARestart() async throws {
        try await Self.with { site, control, options in
            _ = try await site.startServingDaemon(options)
            control.addKey("rk_test_other", account: "acct_other")
            control.addKey("rk_test_second")
            try Data("rk_test_other\n".utf8).write(to: URL(filePath: site.path("key")))
            try await site.waitUntilLogged("it belongs to another account")
            try Data("rk_test_second\n".utf8).write(to: URL(filePath: site.path("key")))
            try await site.waitUntilLogged("Stripe's key is in use")
            control.revokeKey(Self.key)
            try await Self.buy(at: site, control)
            #expect(try !site.log().contains("rk_test_"))
        }
    }
}
