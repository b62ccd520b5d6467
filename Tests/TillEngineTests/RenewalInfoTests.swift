import FoundationEssentials
import Testing
@testable import TillEngine
import TillModel
import TillTesting

/// The renewal information that lists of subscriptions hold.
@Suite(.timeLimit(.minutes(10))) struct RenewalInfoTests {
    @Test func aListOfSubscriptionsHasSignedRenewalInformation() async throws {
        try await EngineHarness().run { harness in
            _ = try await harness.buy("silver", username: "ada")
            #expect(try await Self.renewals(harness) == ["header.silver.subscribed.renews.499-USD.ada"])
            _ = try await harness.buy("silver", discount: "spring")
            #expect(
                try await Self.renewals(harness) == [
                    "header.silver.subscribed.renews.199-USD.promotional.P2M.ada"
                ]
            )
        }
    }

    @Test func renewalInformationOfAnEndedSubscriptionSaysWhyAndHasNoPrice() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.buy("monthly")
            _ = try await harness.engine.expireSubscription(bought.id, by: StoreHarness.operators)
            #expect(try await Self.renewals(harness) == ["header.monthly.expired.autoRenewDisabled"])
        }
    }

    @Test func renewalInformationHasTheStateAsOfNow() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.buy("monthly")
            _ = try await harness.engine.setAutoRenew(bought.id, to: false, by: StoreHarness.operators)
            harness.time.advance(by: 40 * 86_400)
            let facts = try await harness.ledger.read { ledger in
                try ledger.subscription(key: 1).map {
                    harness.engine.parts.receipts.renewalFacts($0, latest: nil, at: harness.time.now())
                }
            }
            #expect(facts?.subscription.state == .expired)
            #expect(facts?.subscription.expirationReason == .autoRenewDisabled)
        }
    }

    @Test func renewalInformationThatCannotBeSignedIsLeftOut() async throws {
        try await EngineHarness(receipts: PlainSigner(failingFor: "monthly")).run { harness in
            _ = try await harness.buy("monthly")
            #expect(try await harness.subscriptions().map(\.renewalInfo) == [nil])
        }
    }

    @Test func entitlementsHaveNoRenewalInformation() async throws {
        try await EngineHarness().run { harness in
            _ = try await harness.buy("monthly")
            #expect(try await harness.entitlements().map(\.subscription?.renewalInfo) == [nil])
        }
    }

    @Test func aPageOfSubscriptionsFitsIntoAFrame() async throws {
        let long = String(repeating: "u", count: 100_000)
        try await EngineHarness(receipts: LongSigner(text: long)).run { harness in
            _ = try await harness.buy("monthly")
            _ = try await harness.buy("silver")
            let (first, next) = try await harness.engine.subscriptions(in: EngineHarness.notes, token: 0, limit: 64)
            #expect(first.map(\.productID) == ["monthly"])
            let (second, end) = try await harness.engine.subscriptions(
                in: EngineHarness.notes,
                token: try #require(next),
                limit: 64
            )
            #expect(second.map(\.productID) == ["silver"] && end == nil)
        }
    }

    @Test(arguments: [(lapse: 60.0, isNewSeries: false), (lapse: 61.0, isNewSeries: true)])
    func aLapseOfMoreThanSixtyDaysBeginsANewSeries(lapse: Double, isNewSeries: Bool) async throws {
        try await EngineHarness().run { harness in
            let first = try await harness.buy("monthly")
            let start = try #require(first.subscription?.startDate)
            #expect(try await Self.recentStart(harness) == start)
            _ = try await harness.engine.expireSubscription(first.id, by: StoreHarness.operators)
            harness.time.advance(by: lapse * 86_400)
            let again = try await harness.buy("monthly")
            #expect(try await Self.recentStart(harness) == (isNewSeries ? again.subscription?.startDate : start))
        }
    }

    private static func renewals(_ harness: EngineHarness) async throws -> [String?] {
        try await harness.subscriptions().map(\.renewalInfo)
    }

    private static func recentStart(_ harness: EngineHarness) async throws -> Date? {
        try await harness.ledger.read { try $0.subscription(key: 1)?.recentStart }
    }
}

/// Signs renewal information as a long text.
private struct LongSigner: ReceiptSigner {
    var text: String

    func sign(_ facts: ReceiptFacts) throws -> SignedReceipt {
        try PlainSigner().sign(facts)
    }

    func sign(_ facts: ApplicationReceiptFacts) throws -> SignedReceipt {
        try PlainSigner().sign(facts)
    }

    func sign(_ facts: RenewalFacts) throws -> SignedReceipt {
        SignedReceipt(header: "header", body: text)
    }

    var rootCertificate: [UInt8] {
        PlainSigner().rootCertificate
    }
}
