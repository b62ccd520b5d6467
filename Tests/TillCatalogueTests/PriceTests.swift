import FoundationEssentials
import Testing
import TillModel

@testable import TillCatalogue

struct PriceTests {
    @Test(arguments: [
        (#""0.99""#, "0.99"), (#""1""#, "1"), (#""79""#, "79"), (#""4.20""#, "4.2"), (#""41.50""#, "41.5"),
        (#""0.0""#, "0"), (#""22900""#, "22900"), (#""007""#, "7"), ("4.10", "4.1"), ("3", "3"),
        (#""999999999999.99""#, "999999999999.99"),
    ])
    func pricesAreExactlyWhatTheFileSays(json: String, amount: String) throws {
        let product = try StoreKitConfiguration(text: Document.with(product: ["displayPrice": json])).products.first
        #expect(product?.price.amount == Decimal(string: amount))
    }

    @Test(arguments: [
        ("1", 0, true), ("1.0", 0, true), ("1.1", 0, false), ("1.1", 1, true), ("1.11", 1, false), ("0.999", 3, true),
        ("0.9999", 3, false), ("0.001", 2, false), ("999999999999.999", 3, true),
    ])
    func decimalsAreCounted(text: String, decimals: Int, isWithin: Bool) throws {
        #expect(try #require(Decimal(price: text)).hasAtMost(decimals: decimals) == isWithin)
    }
}
