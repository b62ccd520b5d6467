import FaultRuns
import Foundation
import Glibc
import NIOCore
import NIOPosix
import ProcessTesting
import StripeStandIn
import Testing
import TillClient
import TillModel

/// A daemon that receives webhooks asks Stripe regularly only every ten minutes, which is longer than a test may take. What
/// it knows, it knows because of a webhook.
@Suite(.timeLimit(.minutes(5))) struct StripeWebhookTests {
    private static let key = "rk_test_abcdef"
    private static let secret = "whsec_first"

    private static func with(
        isSocket: Bool = true,
        _ body: (Site, StripeControl, ChildProcess) async throws -> Void
    ) async throws {
        let server = try await StripeStandIn(.init { $0.settings.keys = [Settings.Key(key)] })
        try await Site.with { site in
            let address = isSocket ? "unix:\(site.webhookSocket)" : "127.0.0.1:\(try await LoopbackPort.free())"
            let url = "\(isSocket ? address + ":" : "http://\(address)")/stripe/webhook"
            let options =
                try site.stripe(.test, address: server.address) + site.webhooks(at: address, secrets: [secret])
            server.control.change { $0.webhooks = [Settings.Endpoint(url: url, secrets: [secret])] }
            let daemon = try await site.startServingDaemon(options)
            // The first round looks at everything, the disputes last, and does not ask for events.
            while !server.control.requests().contains(where: { $0.path == "/v1/disputes" }) {
                await Alarm.after(.milliseconds(10))
            }
            try await body(site, server.control, daemon)
        }
        await server.stop()
    }

    private enum Reversal: CaseIterable {
        case refund, dispute
    }

    @Test(arguments: [true, false], Reversal.allCases)
    private func aReversalIsKnownAtOnce(isSocket: Bool, reversal: Reversal) async throws {
        try await Self.with(isSocket: isSocket) { site, control, daemon in
            let (payment, intent) = try await Self.buy(at: site, control)
            switch reversal {
            case .refund: _ = try control.refundInDashboard(intent)
            case .dispute: _ = try control.openDispute(intent)
            }
            let statuses = await control.deliverWebhooks()
            #expect(!statuses.isEmpty && statuses.allSatisfy { $0 == 200 }, "\(statuses)")
            let began = ContinuousClock.now
            try await Self.waitForRefund(of: payment, at: site)
            #expect(ContinuousClock.now - began < .seconds(120))
            daemon.signal(SIGTERM)
            #expect(await daemon.exit() == .status(0))
            #expect(!FileManager.default.fileExists(atPath: site.webhookSocket))
        }
    }

    /// A forged webhook does not even lead to a question. A genuine one about anything else does, and the answer counts.
    @Test func aForgedWebhookHasNoEffect() async throws {
        try await Self.with { site, control, _ in
            let (payment, intent) = try await Self.buy(at: site, control)
            control.sign(with: ["whsec_forged"])
            let rounds = control.roundCount
            _ = try control.refundInDashboard(intent)
            let statuses = await control.deliverWebhooks()
            #expect(!statuses.isEmpty && statuses.allSatisfy { $0 == 400 }, "\(statuses)")
            try await site.waitUntilLogged("wrong signature: \(statuses.count)")
            #expect(control.roundCount == rounds)
            let store = TillOperator(site.queue().configuration)
            #expect(try await store.explanation(ofTransaction: payment).refunds.isEmpty)
            await store.close()
            control.sign(with: [Self.secret])
            _ = try control.warnOfFraud(intent)
            #expect(await control.deliverWebhooks() == [200])
            try await Self.waitForRefund(of: payment, at: site)
        }
    }

    @Test func replacedSecretsAreUsedWithoutARestart() async throws {
        try await Self.with { site, control, _ in
            let (_, intent) = try await Self.buy(at: site, control)
            _ = await control.deliverWebhooks()
            for (number, secrets) in [["whsec_second", "whsec_third", Self.secret], ["whsec_third"]].enumerated() {
                _ = try site.webhooks(at: "", secrets: secrets)
                while try site.log().ranges(of: "Other signing secrets of webhooks are in use").count <= number {
                    await Alarm.after(.milliseconds(20))
                }
                for secret in ["whsec_third", Self.secret] {
                    control.sign(with: [secret])
                    _ = try control.warnOfFraud(intent)
                    let isAccepted = secrets.contains(secret)
                    #expect(await control.deliverWebhooks() == [isAccepted ? 200 : 400])
                }
            }
            #expect(try !site.log().contains("whsec_"))
        }
    }

    /// Buys and pays on the page.
    ///
    /// - Returns: The payment, and its name at Stripe.
    private static func buy(at site: Site, _ control: StripeControl) async throws -> (UUID, String) {
        let queue = site.queue()
        let store = TillOperator(queue.configuration)
        let payment = Payment(productID: TestStore.coins)
        _ = try await queue.add(payment)
        var session: String?
        while session == nil {
            session = try? await store.explanation(ofTransaction: payment.id).charges.first?.reference
            await Alarm.after(.milliseconds(5))
        }
        #expect(control.pay(try #require(session)) == .completed)
        #expect(try await queue.purchase(payment).state == .purchased)
        let intent = try await store.explanation(ofTransaction: payment.id).charges.first?.reference
        await store.close()
        await queue.close()
        return (payment.id, try #require(intent))
    }

    private static func waitForRefund(of payment: UUID, at site: Site) async throws {
        let store = TillOperator(site.queue().configuration)
        while try await store.explanation(ofTransaction: payment).refunds.isEmpty {
            await Alarm.after(.milliseconds(20))
        }
        await store.close()
    }
}

extension StripeControl {
    /// How often events were asked for.
    fileprivate var roundCount: Int {
        requests().count { $0.path == "/v1/events" }
    }

    /// Signs webhooks with these secrets from now on.
    fileprivate func sign(with secrets: [String]) {
        change { settings in
            for index in settings.webhooks.indices {
                settings.webhooks[index].secrets = secrets
            }
        }
    }
}

extension Site {
    var webhookSocket: String { path("webhooks.sock") }

    /// The options of a webhook listener, whose secrets are written into a file.
    func webhooks(at address: String, secrets: [String]) throws -> [String] {
        let file = path("secrets")
        try Data("\(secrets.joined(separator: "\n"))\n".utf8).write(to: URL(filePath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        return ["--stripe-webhook-address", address, "--stripe-webhook-secrets-file", file]
    }
}
