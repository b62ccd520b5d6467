import FoundationEssentials
import Testing
import TillModel

@Suite struct PriceTests {
    @Test(
        arguments: [
            ("4.99", "USD", 2, 998), ("4.990", "USD", 1, 499), ("1234.5", "USD", 1, 123_450), ("0", "USD", 1, 0),
            ("5", "JPY", 3, 15), ("100", "JPY", 1, 100), ("1.5", "JPY", 2, 3), ("0.001", "BHD", 10, 10),
            ("10000000000", "USD", 1, 1_000_000_000_000), ("0.001", "USD", 1, nil), ("1.5", "JPY", 1, nil),
            ("-1", "USD", 1, nil), ("10000000000.01", "USD", 1, nil), ("1e100", "USD", 1, nil),
            ("1e126", "USD", 1, nil),
            ("99999999999999999999999999999999999999", "USD", 10, nil), ("1e-120", "JPY", 1, nil),
        ] as [(String, String, Int, Int64?)]
    )
    func aPriceInMinorUnitsIsWholeOrNone(_ amount: String, _ currency: String, _ quantity: Int, _ units: Int64?) throws
    {
        let amount = try #require(Decimal(string: amount))
        #expect(Price(amount: amount, currency: currency).minorUnits(quantity: quantity) == units)
    }

    @Test func minorUnitsFollowTheAmountAndTheCurrency() {
        var price = Price(minorUnits: 500, currency: "USD")
        #expect(price.minorUnits(quantity: 3) == 1500)
        price.currency = "JPY"
        #expect(price.minorUnits(quantity: 1) == 5)
        price.amount = Decimal(sign: .plus, exponent: -1, significand: 15)
        #expect(price.minorUnits(quantity: 1) == nil)
        #expect(price.minorUnits(quantity: 2) == 3)
        price.currency = "BHD"
        #expect(price.minorUnits(quantity: 1) == 1500)
        #expect(price == Price(minorUnits: 1500, currency: "BHD"))
    }

    @Test(
        arguments: [
            (-1, nil), (0, 0), (1_000_000_000_000, 1_000_000_000_000), (1_000_000_000_001, nil), (.max, nil),
        ] as [(Int64, Int64?)]
    )
    func aPriceOfMinorUnitsHasThem(minorUnits: Int64, chargeable: Int64?) {
        let price = Price(minorUnits: minorUnits, currency: "USD")
        #expect(price.minorUnits(quantity: 1) == chargeable)
        #expect(price == Price(amount: price.amount, currency: "USD"))
        #expect(price.minorUnits(quantity: .max) == (minorUnits == 0 ? 0 : nil))
    }
}
