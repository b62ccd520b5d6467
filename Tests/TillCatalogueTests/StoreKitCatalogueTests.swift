import FoundationEssentials
import Testing
import TillModel

@testable import TillCatalogue

struct StoreKitCatalogueTests {
    private func configuration(_ id: String, in file: String, settings: String = "{}") throws -> StoreKitConfiguration {
        let product = Document.product(["productID": "\"\(id)\""])
        let text = Document.file(["products": Document.list(product), "settings": settings])
        return try StoreKitConfiguration(text: text, fileName: file)
    }

    @Test
    func severalFilesFormOneCatalogueInOrder() throws {
        let catalogue = try StoreKitCatalogue(files: [
            configuration("b", in: "First.storekit", settings: #"{"_timeRate": 1}"#),
            configuration("a", in: "Second.storekit", settings: #"{"_timeRate": 2}"#),
        ])
        #expect(catalogue.products.map(\.id) == ["b", "a"])
        #expect(catalogue.productIDs == ["a", "b"])
        #expect(catalogue.settings.timeRate == .oneHourIsOneDay)
        #expect(catalogue.settings.storefront == "USA")
        #expect(catalogue.storefront(countryCode: "USA") == Storefront(countryCode: "USA", identifier: "143441"))
        #expect(catalogue.product("a", locale: nil, storefront: "USA")?.id == "a")
        #expect(catalogue.product("c", locale: nil, storefront: "USA") == nil)
    }

    @Test
    func withoutFilesTheCatalogueIsEmpty() throws {
        let catalogue = try StoreKitCatalogue(files: [])
        #expect(catalogue.products.isEmpty)
        #expect(catalogue.settings == StoreSettings())
    }

    @Test(arguments: [
        ("USA", "USD", "4.99", "1.99", "en-US"), ("DEU", "EUR", "4.99", "1.99", "en-DE"),
        ("JPN", "JPY", "5", "2", "en-JP"), ("ATA", "USD", "4.99", "1.99", "en-US"),
    ])
    func aStorefrontSellsTheFilesNumbersInItsCurrencyAndRegion(
        country: String,
        currency: String,
        price: String,
        offerPrice: String,
        locale: String
    ) throws {
        let offer = Document.offer(["displayPrice": #""1.99""#, "paymentMode": #""payUpFront""#])
        let group = Document.group([
            "subscriptions": Document.list(Document.subscription(["introductoryOffer": offer]))
        ])
        let text = Document.file(["subscriptionGroups": Document.list(group)])
        let catalogue = try StoreKitCatalogue(files: [StoreKitConfiguration(text: text, fileName: "A.storekit")])
        let product = try #require(catalogue.product("org.example.monthly", locale: nil, storefront: country))
        #expect(product.price == Price(amount: try #require(Decimal(string: price)), currency: currency))
        #expect(product.price.minorUnits(quantity: 1) != nil)
        let prices = product.subscription?.offers.map(\.price)
        #expect(prices == [Price(amount: try #require(Decimal(string: offerPrice)), currency: currency)])
        #expect(product.locale == locale)
    }

    @Test
    func everySettingOfTheFirstFileIsAStoreSetting() throws {
        let knobs = """
            {"_askToBuyEnabled": true, "_billingIssuesEnabled": true, "_renewalBillingIssuesEnabled": true,
            "_billingGracePeriodEnabled": true, "_failTransactionsEnabled": true, "_storeKitError": 12,
            "_disableDialogs": true, "_storefront": "DEU", "_locale": "de_DE", "_timeRate": 15}
            """
        let file = try configuration("a", in: "First.storekit", settings: knobs)
        let settings = try StoreKitCatalogue(files: [file]).settings
        let texts = Dictionary(uniqueKeysWithValues: StoreSettings.Key.allCases.map { ($0, settings[$0]) })
        #expect(
            texts == [
                .askToBuy: "true", .interruptedPurchases: "true", .interruptedAsDeferred: "false",
                .billingRetry: "true", .gracePeriod: "true", .failTransactions: "true", .transactionError: "12",
                .disableDialogs: "true", .authorization: "automatic", .storefront: "DEU", .locale: "de-DE",
                .timeRate: "15",
            ]
        )
    }

    @Test
    func aProductInTwoFilesIsRefusedWithBothFileNames() throws {
        let files = try [configuration("a", in: "First.storekit"), configuration("a", in: "Second.storekit")]
        let error = #expect(throws: TillError.self) { try StoreKitCatalogue(files: files) }
        #expect(error?.message == "Second.storekit: a: the product is already in First.storekit.")
        #expect(error?.code == .invalidArgument)
    }

    @Test
    func twoStorefrontsAreRefusedWithBothFileNames() throws {
        let files = try [
            configuration("a", in: "First.storekit"),
            configuration("b", in: "Second.storekit", settings: #"{"_storefront": "NLD"}"#),
        ]
        let error = #expect(throws: TillError.self) { try StoreKitCatalogue(files: files) }
        let reason = "the storefront is NLD, but that of First.storekit is USA; set the same _storefront"
        #expect(error?.message == "Second.storekit: \(reason).")
    }

    @Test
    func moreProductsThanTheLimitAreRefused() throws {
        var half = try configuration("a", in: "First.storekit")
        let product = try #require(half.products.first)
        half.products = (0...CatalogueLimits.products / 2).map { index in
            var product = product
            product.id = "first\(index)"
            return product
        }
        var other = half
        other.fileName = "Second.storekit"
        other.products = half.products.map { first in
            var product = first
            product.id = "second" + first.id
            return product
        }
        let files = [half, other]
        let error = #expect(throws: TillError.self) { try StoreKitCatalogue(files: files) }
        #expect(error?.message == "Second.storekit: with this file the catalogue has more than 10000 products.")
    }
}
