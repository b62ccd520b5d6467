import FoundationEssentials
import Testing
import TillModel
@testable import TillCatalogue

struct StorefrontsTests {
    @Test(arguments: [
        ("USA", "USD", "143441"), ("DEU", "EUR", "143443"), ("GBR", "GBP", "143444"), ("JPN", "JPY", "143462"),
        ("CHN", "CNY", "143465"), ("COL", "COP", "143501"), ("MEX", "MXN", "143468"), ("NLD", "EUR", "143452"),
        ("ESP", "EUR", "143454"), ("BGR", "EUR", "143526"), ("ARG", "USD", "143505"), ("XKS", "EUR", "XKS"),
    ])
    func aStorefrontHasItsCurrencyAndIdentifier(country: String, currency: String, identifier: String) {
        #expect(Storefronts.currency(countryCode: country) == currency)
        #expect(Storefronts.storefront(countryCode: country).identifier == identifier)
    }

    @Test
    func theTableIsWellFormed() {
        #expect(Storefronts.table.count == 175)
        #expect(Storefronts.table.keys.allSatisfy(Storefronts.isCountryCode))
        #expect(Storefronts.table.values.allSatisfy { Storefronts.isCountryCode($0.currency) })
        #expect(Set(Storefronts.table.values.map(\.currency)).count == 43)
        let identifiers = Storefronts.table.values.compactMap(\.identifier)
        #expect(Set(identifiers).count == identifiers.count)
        #expect(identifiers.allSatisfy { $0.hasPrefix("143") && $0.utf8.count == 6 && Int($0) != nil })
    }

    @Test(arguments: ["us", "US", "usa", "USAA", "U1A", "ÄÖÜ", "", "U A"])
    func textOfAnotherFormIsNotACountryCode(text: String) {
        #expect(!Storefronts.isCountryCode(text))
    }

    @Test
    func anUnknownStorefrontUsesDollars() throws {
        let settings = try StoreKitConfiguration(text: Document.with(settings: #"{"_storefront": "ATA"}"#)).settings
        #expect(settings.storefront == Storefront(countryCode: "ATA", identifier: "ATA"))
        #expect(settings.currency == "USD")
    }
}

struct PriceTests {
    @Test(arguments: [
        (#""0.99""#, "0.99"), (#""1""#, "1"), (#""79""#, "79"), (#""4.20""#, "4.2"), (#""41.50""#, "41.5"),
        (#""0.0""#, "0"), (#""22900""#, "22900"), (#""007""#, "7"), ("4.10", "4.1"), ("3", "3"),
        (#""999999999999.99""#, "999999999999.99"),
    ])
    func pricesAreExactlyThoseOfTheFile(json: String, amount: String) throws {
        let product = try StoreKitConfiguration(text: Document.with(product: ["displayPrice": json])).products.first
        #expect(product?.price.amount == Decimal(string: amount))
    }

    @Test(arguments: [
        ("4.99", "USD", "4.99"), ("4.99", "JPY", "5"), ("0.49", "JPY", "1"), ("2.5", "KRW", "3"), ("2.49", "KRW", "2"),
        ("0", "JPY", "0"), ("1.999", "BHD", "1.999"), ("1.9995", "BHD", "2"), ("0.004", "USD", "0.01"),
        ("999999999999.999", "USD", "999999999999.999"),
    ])
    func aPriceIsRoundedToItsCurrencysUnit(text: String, currency: String, rounded: String) throws {
        let price = Price(amount: try #require(Decimal(string: text)), currency: currency)
        #expect(price.chargeable == Price(amount: try #require(Decimal(string: rounded)), currency: currency))
    }
}
