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
