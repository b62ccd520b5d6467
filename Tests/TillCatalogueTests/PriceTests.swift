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
        ("4.99", "USD", "4.99"), ("4.99", "JPY", "5"), ("0.49", "JPY", "1"), ("2.5", "KRW", "3"), ("2.49", "KRW", "2"),
        ("0", "JPY", "0"), ("1.999", "BHD", "1.999"), ("1.9995", "BHD", "2"), ("0.004", "USD", "0.01"),
        ("999999999999.999", "USD", "999999999999.999"),
    ])
    func aPriceIsRoundedToWhatItsCurrencyCanCharge(text: String, currency: String, rounded: String) throws {
        let price = Price(amount: try #require(Decimal(string: text)), currency: currency)
        #expect(price.chargeable == Price(amount: try #require(Decimal(string: rounded)), currency: currency))
    }
}
