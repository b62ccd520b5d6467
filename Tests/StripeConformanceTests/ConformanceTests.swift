import StripeStandIn
import Testing
import TillModel

@testable import StripeConformance

/// The stand-in behaves as the checks say that Stripe does, and a check reports what behaves otherwise.
@Suite(.timeLimit(.minutes(5))) struct ConformanceTests {
    @Test(arguments: Check.all.map(\.name))
    func theStandInPassesEachCheck(name: String) async throws {
        let check = try #require(Check.all.first { $0.name == name })
        #expect(try await StandInAccount.differences(check) == [])
    }

    @Test func eachCheckHasANameOfItsOwnAndASentence() {
        #expect(Set(Check.all.map(\.name)).count == Check.all.count)
        #expect(Check.all.count > 50)
        for check in Check.all {
            #expect(check.sentence.hasSuffix(".") && check.sentence.count < 130, "\(check.name)")
            #expect(check.name.wholeMatch(of: /[a-z-]+(:pm_\w+)?/) != nil, "\(check.name)")
        }
    }

    struct Alteration: Sendable {
        var name: String
        /// The check that has to find it.
        var check: String
        /// A part of what the check reports.
        var report: String
        var alter: @Sendable (StripeControl) -> Void
    }

    static let alterations = [
        Alteration(name: "keys are forgotten at once", check: "key-replayed", report: "expected true, got false") {
            $0.change { $0.keyLifetime = 0 }
        },
        Alteration(
            name: "other parameters are accepted",
            check: "key-other-parameters",
            report: "expected 400, got 200"
        ) {
            $0.change { $0.keyLifetime = 0 }
        },
        Alteration(name: "a refund stays pending", check: "refund-pending", report: "not seen within 60 s") {
            $0.change { $0.refundDuration = 86_400 }
        },
        Alteration(name: "there are no events", check: "events", report: "not seen within 60 s") {
            $0.change { $0.events.droppedTypes = ["*"] }
        },
        Alteration(
            name: "a dispute is not reported",
            check: "dispute-won",
            report: "GET /v1/events: expected the event"
        ) {
            $0.change { $0.events.droppedTypes = ["charge.dispute.closed"] }
        },
        Alteration(name: "a key may not confirm", check: "intent-charged-once", report: "expected 200, got 403") {
            $0.addKey(StandInAccount.key, permissions: ["payment_intent_read", "account_read"])
        },
        Alteration(name: "an answer is late and lost", check: "customer", report: "expected an answer, got") {
            $0.addFault(Fault(.reset(.after), path: "/v1/customers"))
        },
        Alteration(name: "an answer is a server error", check: "metadata", report: "expected 200, got 500") {
            $0.addFault(Fault(.error(500, .before), path: "/v1/payment_intents"))
        },
    ]

    @Test(arguments: alterations.indices)
    func anAlteredStandInIsReported(index: Int) async throws {
        let alteration = Self.alterations[index]
        let check = try #require(Check.all.first { $0.name == alteration.check })
        let differences = try await StandInAccount.differences(check, alteration.alter)
        let lines = CheckLine(check, differences).lines
        #expect(lines.contains { $0.contains(alteration.report) }, "\(alteration.name): \(lines)")
    }

    /// A limit of Stripe's does not count as a difference: the call is repeated.
    @Test func aBusyStripeIsAskedAgain() async throws {
        let check = try #require(Check.all.first { $0.name == "metadata" })
        let differences = try await StandInAccount.differences(check) { control in
            for _ in 0..<3 {
                control.addFault(Fault(.rateLimit, path: "/v1/payment_intents"))
            }
        }
        #expect(differences == [])
    }

    /// Otherwise the check would only see what the daily sweep finds.
    @Test func anEventTellsOfTheRefundThatWasMadeElsewhere() async throws {
        let check = try #require(Check.all.first { $0.name == "news" })
        let fetched = try await StandInAccount.with { account, control in
            let differences = try await check.differences(at: account)
            #expect(differences == [])
            return control.requests().map(\.path).filter { $0.hasPrefix("/v1/refunds/re_") }
        }
        #expect(fetched.count == 1)
    }

    @Test func aRunCountsWhatDiffers() async throws {
        let run = try ConformanceRun(named: ["metadata", "key-replayed", "account"])
        let summary = try await StandInAccount.with({ $0.change { $0.keyLifetime = 0 } }) { account, _ in
            await run.run(at: account) { _ in }
        }
        #expect(summary == .init(chosen: 3, done: 3, differing: 1))
        #expect(SummaryLine(summary).text == "3 checks: 1 differs from the stand-in.")
        #expect(throws: TillError.self) { try ConformanceRun(named: ["none"]) }
    }

    @Test(arguments: [
        ("Invalid API Key provided: sk_test_****abcd", "Invalid API Key provided: sk_test_…"),
        ("The key 'rk_live_51Habc' is live.", "The key 'rk_live_…' is live."), ("risk_test", "risk_test"),
    ])
    func noKeyIsPrinted(text: String, expected: String) {
        #expect(text.redacted == expected)
    }
}
