import FoundationEssentials
import Testing
import TillModel

@testable import TillCatalogue

struct VersionTests {
    private func configuration(_ version: String) throws -> StoreKitConfiguration {
        try StoreKitConfiguration(data: Fixtures.data(version: version), fileName: version)
    }

    @Test(arguments: Fixtures.versions)
    func aFileOfEveryVersionIsRead(name: String) throws {
        let configuration = try configuration(name)
        let version = try #require(configuration.version)
        #expect("\(version.major).\(version.minor)" == name)
        #expect(!configuration.products.isEmpty)
    }

    @Test
    func version1HasProductsWithAllFallbacks() throws {
        let configuration = try configuration("1.0")
        let products = configuration.products.map { $0.product(locale: nil) }
        #expect(products.map(\.id) == ["org.example.coins", "org.example.pro", "org.example.sync"])
        #expect(products.map(\.displayName) == ["10 coins", "org.example.pro", "Name"])
        #expect(products.map(\.type) == [.consumable, .nonConsumable, .autoRenewableSubscription])
        #expect(products.map(\.price.amount.description) == ["0.99", "79", "4.2"])
        #expect(products.map(\.price.currency) == ["USD", "USD", "USD"])
        #expect(configuration.identifier == nil)
        #expect(configuration.settings == CatalogueSettings())
    }

    @Test
    func version1HasAFreeTrial() throws {
        let subscription = try #require(configuration("1.0").products.last?.subscription)
        #expect(subscription.groupID == "22222222")
        #expect(subscription.groupName == "Sync")
        #expect(subscription.level == 1)
        #expect(subscription.period == SubscriptionPeriod(unit: .week, value: 1))
        let trial = SubscriptionOffer(
            id: nil,
            type: .introductory,
            paymentMode: .freeTrial,
            price: Price(amount: 0, currency: "USD"),
            period: SubscriptionPeriod(unit: .day, value: 3),
            periodCount: 1
        )
        #expect(subscription.offers == [trial])
    }

    @Test
    func version1x1HasSettingsAndAKeyPair() throws {
        let configuration = try configuration("1.1")
        var settings = CatalogueSettings()
        settings.storefront = Storefront(countryCode: "ESP", identifier: "143454")
        settings.currency = "EUR"
        settings.language = try #require(LanguageTag("es-ES"))
        settings.areInterruptedPurchasesEnabled = true
        settings.isAskToBuyEnabled = true
        settings.failsTransactions = true
        settings.timeRate = .oneMinuteIsOneDay
        #expect(configuration.settings == settings)
        let key = OfferKeyPair(id: "7A7B7C7D", privateKey: PrivateKey(bytes: Array("secret".utf8)))
        #expect(configuration.subscriptionOffersKeyPair == key)
        #expect(configuration.identifier == "0A0B0C0D")
        #expect(configuration.products.map(\.type).contains(.nonRenewingSubscription))
        let offers = try #require(configuration.products.last?.subscription?.offers)
        #expect(offers.map(\.id) == ["org.example.offer", "org.example.upfront"])
        #expect(offers.map(\.type) == [.promotional, .promotional])
        #expect(offers.map(\.paymentMode) == [.payAsYouGo, .payUpFront])
        #expect(offers.map(\.periodCount) == [3, 1])
        #expect(offers.map(\.price.currency) == ["EUR", "EUR"])
    }

    @Test
    func version1x2HasOfferCodesWithoutIdentifier() throws {
        let configuration = try configuration("1.2")
        let offers = try #require(configuration.products.last?.subscription?.offers)
        #expect(offers.map(\.type) == [.code])
        #expect(offers.map(\.id) == [nil])
        #expect(configuration.settings.timeRate == .monthlyRenewalEveryFiveMinutes)
    }

    @Test
    func version2HasTheFieldsOfASyncedFile() throws {
        let configuration = try configuration("2.0")
        let settings = configuration.settings
        #expect(settings.applicationID == "1600000000")
        #expect(settings.developerTeamID == "ABCDE12345")
        #expect(settings.lastSynchronized == Date(timeIntervalSinceReferenceDate: 705_331_200.5))
        #expect(
            settings.simulatedFailures == [
                SimulatedFailure(name: "Load Products", isEnabled: false),
                SimulatedFailure(name: "Purchase", isEnabled: false),
                SimulatedFailure(name: "Verification", isEnabled: false, type: "generic", index: 2),
            ]
        )
        #expect(configuration.products.first?.internalID == "6443000000")
        #expect(configuration.warnings.isEmpty)
    }

    @Test
    func version3HasAFreeOfferWithAMeaninglessPrice() throws {
        let configuration = try configuration("3.0")
        let offers = try #require(configuration.products.last?.subscription?.offers)
        #expect(offers.map(\.price) == [Price(amount: 0, currency: "EUR")])
        #expect(configuration.settings.timeRate == .oneRenewalEveryThirtySeconds)
        #expect(configuration.warnings.isEmpty)
    }

    @Test
    func version4HasWinBackOffersAndLocalisedGroups() throws {
        let configuration = try configuration("4.0")
        let product = try #require(configuration.products.first { $0.id == "org.example.basic" })
        #expect(product.subscription?.level == 2)
        #expect(product.subscription?.offers.map(\.type) == [.winBack])
        #expect(product.subscription?.offers.map(\.id) == ["org.example.offer"])
        #expect(product.product(locale: "de").subscription?.groupName == "Gruppe")
        #expect(configuration.settings.areDialogsDisabled)
        #expect(configuration.settings.isBillingRetryEnabled)
        #expect(configuration.settings.isBillingGracePeriodEnabled)
        #expect(configuration.warnings.isEmpty)
    }

    @Test
    func version5RepeatsTheIntroductoryOfferWhichIsReadOnce() throws {
        let configuration = try configuration("5.0")
        let offers = try #require(configuration.products.last?.subscription?.offers)
        #expect(offers.map(\.type) == [.introductory])
        #expect(configuration.warnings.isEmpty)
    }

    @Test
    func privateKeysDoNotPrint() throws {
        let pair = try #require(configuration("1.1").subscriptionOffersKeyPair)
        var dumped = ""
        dump(pair, to: &dumped)
        for text in ["\(pair)", String(reflecting: pair), dumped] {
            #expect(text.contains("7A7B7C7D"))
            #expect(text.contains("redacted"))
            #expect(!text.contains("115"), "the key's first byte is 115")
        }
    }
}
