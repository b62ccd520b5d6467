import FoundationEssentials
import Testing
@testable import TillEngine
import TillMemoryLedger
import TillModel
import TillTesting

@Suite struct SettingsTests {
    private static let by = StoreHarness.operators

    @Test func aChangeIsInForceWhenTheCallReturns() async throws {
        try await StoreHarness().run { harness in
            let changes = ["ask-to-buy": "true", "provider-mood": "grumpy"]
            let settings = try await harness.engine.changeSettings(changes, resetAll: false, by: Self.by)
            #expect(settings.filter(\.isChanged).map(\.name) == ["ask-to-buy", "provider-mood"])
            #expect(settings == harness.engine.storeSettings())
            let transaction = try await harness.engine.addPayment(Payment(productID: "coins"), to: EngineHarness.notes)
            #expect(transaction.state == .deferred)
            #expect(harness.provider.settings.first?.value == "grumpy")
        }
    }

    @Test func changesOutliveTheEngine() async throws {
        let ledger = MemoryLedger()
        try await StoreHarness(ledger: ledger).run { harness in
            let changes = ["ask-to-buy": "true", "provider-mood": "grumpy"]
            _ = try await harness.engine.changeSettings(changes, resetAll: false, by: Self.by)
        }
        try await StoreHarness(ledger: ledger).run { harness in
            let transaction = try await harness.engine.addPayment(Payment(productID: "coins"), to: EngineHarness.notes)
            #expect(transaction.state == .deferred)
            #expect(harness.provider.settings.first?.value == "grumpy")
        }
    }

    @Test func settingsGoBackOneByOneOrAllTogether() async throws {
        try await StoreHarness().run { harness in
            let changes = ["ask-to-buy": "true", "locale": "de", "provider-mood": "grumpy"]
            _ = try await harness.engine.changeSettings(changes, resetAll: false, by: Self.by)
            let one = try await harness.engine.changeSettings(["locale": nil], resetAll: false, by: Self.by)
            #expect(one.filter(\.isChanged).map(\.name) == ["ask-to-buy", "provider-mood"])
            let all = try await harness.engine.changeSettings(["locale": "fr"], resetAll: true, by: Self.by)
            #expect(all.filter(\.isChanged).map(\.name) == ["locale"])
            let stored = try await harness.ledger.read { try $0.settings() }
            #expect(stored == ["locale": "fr"])
        }
    }

    @Test func aResetLeavesTheClock() async throws {
        try await StoreHarness().run { harness in
            _ = try await harness.engine.advanceClock(by: .seconds(60), by: Self.by)
            _ = try await harness.engine.changeSettings([:], resetAll: true, by: Self.by)
            #expect(harness.engine.clock().offset == .seconds(60))
            let stored = try await harness.ledger.read { try $0.settings() }
            #expect(stored == ["clock-offset-ms": "60000"])
        }
    }

    @Test(arguments: [
        ["no-such": "1"], ["ask-to-buy": "perhaps"], ["time-rate": "9"], ["storefront": "us"], ["storefront": "XXX"],
        ["provider-mood": "two words"], ["clock-offset-ms": "5"], ["ask-to-buy": "true", "provider-mood": ""],
        ["locale": String(repeating: "x", count: 129)],
    ])
    func invalidSettingsChangeNothing(changes: [String: String]) async throws {
        try await StoreHarness().run { harness in
            let before = harness.engine.storeSettings()
            await expect(.invalidArgument) {
                _ = try await harness.engine.changeSettings(changes, resetAll: true, by: Self.by)
            }
            #expect(harness.engine.storeSettings() == before)
            let stored = try await harness.ledger.read { try $0.settings() }
            #expect(stored.isEmpty)
        }
    }

    @Test func anUnknownNameListsTheKnownOnes() async throws {
        try await StoreHarness().run { harness in
            let error = await expect(.invalidArgument) {
                _ = try await harness.engine.changeSettings(["no-such": nil], resetAll: false, by: Self.by)
            }
            for name in StoreSettings.Key.allCases.map(\.rawValue) + ["provider-mood"] {
                #expect(error?.message.contains(name) == true, "\(name)")
            }
        }
    }

    @Test func aChangeHasALongestText() async throws {
        try await StoreHarness().run { harness in
            let changes = Dictionary(uniqueKeysWithValues: (0..<200).map { ("name-\($0)", "value" as String?) })
            await expect(.invalidArgument) {
                _ = try await harness.engine.changeSettings(changes, resetAll: false, by: Self.by)
            }
        }
    }

    @Test func everyQueueIsNotifiedOfAnotherStorefront() async throws {
        try await StoreHarness().run { harness in
            let names = (0..<3).map { QueueName(application: "org.example.app\($0)", account: "uid:1") }
            for name in names {
                _ = try await harness.engine.feed.openQueue(name)
            }
            _ = try await harness.engine.changeSettings(["storefront": "DEU"], resetAll: false, by: Self.by)
            _ = try await harness.engine.changeSettings(["storefront": "DEU"], resetAll: false, by: Self.by)
            #expect(harness.engine.storefront.countryCode == "DEU")
            for name in names {
                let events = try await harness.ledger.read { ledger in
                    try ledger.queue(name).map { try ledger.events(in: $0.key, after: 0, limit: 10) } ?? []
                }
                #expect(events.map(\.kind) == [.storefrontChanged(harness.engine.storefront)])
            }
        }
    }

    @Test func aRealStoreIsNotChanged() async throws {
        try await EngineHarness().run { harness in
            await expect(.failedPrecondition) {
                _ = try await harness.engine.changeSettings(["ask-to-buy": "true"], resetAll: false, by: Self.by)
            }
            #expect(harness.engine.storeSettings().allSatisfy { !$0.isChanged })
        }
    }

    @Test func aValueInTheLedgerThatNoSettingTakesStopsTheStart() async throws {
        let ledger = MemoryLedger()
        try await ledger.commit { try $0.setSetting("time-rate", to: "never") }
        let harness = StoreHarness(ledger: ledger)
        await expect(.dataLoss) { try await harness.engine.loadSettings() }
    }

    @Test func aNameFromAnotherVersionIsLeftAlone() async throws {
        let ledger = MemoryLedger()
        try await ledger.commit { try $0.setSetting("from-the-future", to: "1") }
        try await StoreHarness(ledger: ledger).run { harness in
            _ = try await harness.engine.changeSettings(["locale": "de"], resetAll: false, by: Self.by)
            let stored = try await ledger.read { try $0.settings() }
            #expect(stored == ["from-the-future": "1", "locale": "de"])
        }
    }
}
