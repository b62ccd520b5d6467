import FoundationEssentials
import Testing
import TillModel

@testable import TillStripe

/// Each price is charged exactly or refused with a sentence.
@Suite struct StripeAmountTests {
    /// The numbers of decimals other than two (https://docs.stripe.com/currencies), apart from the table under test.
    static let digits = [
        "BIF": 0, "CLP": 0, "DJF": 0, "GNF": 0, "JPY": 0, "KMF": 0, "KRW": 0, "MGA": 0, "PYG": 0, "RWF": 0, "VND": 0,
        "VUV": 0, "XAF": 0, "XOF": 0, "XPF": 0, "BHD": 3, "JOD": 3, "KWD": 3, "OMR": 3, "TND": 3,
    ]

    static let listed = Array(StripeCurrency.supported.keys).sorted() + StripeCurrency.ambiguous.sorted()

    @Test func theListIsThatOfStripe() {
        #expect(Self.listed.count == 139)
        #expect(Set(Self.digits.keys).isSubset(of: Self.listed))
        #expect(Self.listed.allSatisfy { $0.utf8.count == 3 && $0 == $0.uppercased() })
    }

    @Test(arguments: listed, [1, 499, 99_999] as [Int64])
    func aPriceIsSentExactlyOrRefused(currency: String, minorUnits: Int64) throws {
        let price = Price(minorUnits: minorUnits, currency: currency)
        do {
            let amount = try StripeAmount(charging: minorUnits, currency: currency)
            let exponent = -(Self.digits[currency] ?? 2)
            let sent = Decimal(sign: .plus, exponent: exponent, significand: Decimal(amount.amount))
            #expect(sent == price.amount)
            #expect(amount.currency == currency.lowercased())
            #expect(amount.price == price)
            #expect(amount.minorUnits == minorUnits)
            #expect(try StripeAmount(charging: price) == amount)
        } catch {
            #expect(throws: error) { try StripeAmount(charging: price) }
            let sentence = "\(error)"
            #expect(sentence.contains("\(price.amount) \(currency)"))
            #expect(sentence.contains(": use "))
            #expect(sentence.hasSuffix("."))
        }
    }

    /// All currencies but these can be charged 99,999 minor units.
    @Test func onlyInexactAmountsAreRefused() {
        let refused = Self.listed.filter { (try? StripeAmount(charging: 99_999, currency: $0)) == nil }
        #expect(refused == ["BHD", "JOD", "KWD", "MGA", "OMR", "TND", "UGX"])
    }

    @Test(
        arguments: [
            (499, "USD", 499), (50, "USD", 50), (99_999_999, "USD", 99_999_999), (500, "JPY", 500), (5, "ISK", 500),
            (999_999, "ISK", 99_999_900), (500, "MGA", 5), (5120, "KWD", 5120), (1045, "TWD", 1045),
            (17_550, "HUF", 17_550), (999_999_999_999, "IDR", 999_999_999_999), (9_999_999_999, "COP", 9_999_999_999),
            (999_999_999, "INR", 999_999_999), (1, "GEL", 1), (10, "BHD", 10),
        ] as [(Int64, String, Int64)]
    )
    func anAmountIsInTheUnitOfStripe(minorUnits: Int64, currency: String, expected: Int64) throws {
        let amount = try StripeAmount(charging: minorUnits, currency: currency)
        #expect(amount == StripeAmount(amount: expected, currency: currency.lowercased()))
        #expect(amount.minorUnits == minorUnits)
    }

    @Test(
        arguments: [
            (500, "UGX", "Stripe's documentation has two units for UGX: use another currency for 500 UGX."),
            (5124, "KWD", "Stripe cannot charge exactly 5.124 KWD: use a multiple of 0.01 KWD."),
            (120, "MGA", "Stripe cannot charge exactly 1.2 MGA: use a multiple of 1 MGA."),
            (49, "USD", "Stripe cannot charge as little as 0.49 USD: use at least 0.5 USD."),
            (49, "JPY", "Stripe cannot charge as little as 49 JPY: use at least 50 JPY."),
            (0, "GEL", "Stripe cannot charge as little as 0 GEL: use at least 0.01 GEL."),
            (0, "ISK", "Stripe cannot charge as little as 0 ISK: use at least 1 ISK."),
            (-500, "EUR", "Stripe cannot charge as little as -5 EUR: use at least 0.5 EUR."),
            (100_000_000, "USD", "Stripe cannot charge as much as 1000000 USD: use at most 999999.99 USD."),
            (1_000_000, "ISK", "Stripe cannot charge as much as 1000000 ISK: use at most 999999.99 ISK."),
            (.max, "ISK", "Stripe cannot charge as much as 9223372036854775807 ISK: use at most 999999.99 ISK."),
            (1_000_000_000, "INR", "Stripe cannot charge as much as 10000000 INR: use at most 9999999.99 INR."),
        ] as [(Int64, String, String)]
    )
    func anAmountThatCannotBeExactIsRefused(minorUnits: Int64, currency: String, sentence: String) {
        let refusal = #expect(throws: StripeAmount.Refusal.self) {
            try StripeAmount(charging: minorUnits, currency: currency)
        }
        #expect(refusal?.description == sentence)
    }

    @Test(arguments: ["IQD", "LYD", "UYI", "XXX", "usd", ""])
    func anUnsupportedCurrencyIsRefused(currency: String) {
        #expect(throws: StripeAmount.Refusal.unsupportedCurrency(currency)) {
            try StripeAmount(charging: 500, currency: currency)
        }
    }

    /// Fractions of a minor unit, and an amount above what Till charges.
    @Test(arguments: [("5.5", "ISK", 1), ("0.005", "USD", 1), ("1.5", "JPY", 3), ("9000000000", "IDR", 2)])
    func aPriceThatIsNotChargeableIsRefused(amount: String, currency: String, quantity: Int) throws {
        let price = Price(amount: try #require(Decimal(string: amount)), currency: currency)
        #expect(throws: StripeAmount.Refusal.notChargeable(price, quantity: quantity)) {
            try StripeAmount(charging: price, quantity: quantity)
        }
    }

    @Test func theQuantityIsChargedAsAWhole() throws {
        let fraction = Price(amount: Decimal(sign: .plus, exponent: -3, significand: 5), currency: "BHD")
        #expect(throws: StripeAmount.Refusal.self) { try StripeAmount(charging: fraction) }
        #expect(try StripeAmount(charging: fraction, quantity: 2).amount == 10)
    }

    /// A refund may be below the minimum of a charge.
    @Test func anAmountOfStripeIsReadWithoutLimits() {
        #expect(StripeAmount(amount: 1, currency: "usd").minorUnits == 1)
        #expect(StripeAmount(amount: 550, currency: "isk").minorUnits == nil)
        #expect(StripeAmount(amount: -1, currency: "usd").minorUnits == nil)
        #expect(StripeAmount(amount: 500, currency: "ugx").price == nil)
        #expect(StripeAmount(amount: 500, currency: "lyd").price == nil)
    }
}
