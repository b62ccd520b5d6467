import FoundationEssentials
import TillModel

/// A currency in which Stripe can charge, with the rules for its amounts (https://docs.stripe.com/currencies).
///
/// The amounts are in Stripe's unit, which is not always the minor unit of ISO 4217: MGA has no decimals at Stripe but
/// two in ISO 4217; ISK has two at Stripe but none in ISO 4217.
struct StripeCurrency: Hashable, Sendable {
    /// ISO 4217.
    var code: String
    /// The number of decimals of Stripe's unit: 2 for cents.
    var digits: Int
    /// Each amount is a multiple of this one.
    var step: Int64
    var minimum: Int64
    var maximum: Int64

    /// The price that an amount in Stripe's unit is.
    func price(_ amount: Int64) -> Price {
        let sign: FloatingPointSign = amount < 0 ? .minus : .plus
        return Price(
            amount: Decimal(sign: sign, exponent: -digits, significand: Decimal(amount.magnitude)),
            currency: code
        )
    }
}

// The lists of currencies are those of the page's last edition that has them as text (the sections "Supported
// presentment currencies", "Zero-decimal currencies", "Three-decimal currencies" and "Special cases"). The later edition
// has the same special cases, and the limits below. Stripe decides which currencies an account may use: those with three
// decimals, for example, are not available in each country.
extension StripeCurrency {
    /// The currencies that Stripe can charge exactly, by their code in ISO 4217.
    static let supported = Dictionary(
        uniqueKeysWithValues: (zeroDecimal.map { ($0, StripeCurrency($0, digits: 0)) }
            + twoDecimal.map { ($0, StripeCurrency($0, digits: 2)) }
            // The last of three decimals must be 0 ("Three-decimal currencies").
            + threeDecimal.map { ($0, StripeCurrency($0, digits: 3, step: 10)) }
            // Stripe keeps ISK's former two decimals, which must be 00 ("Special cases").
            + [("ISK", StripeCurrency("ISK", digits: 2, step: 100))])
    )

    /// Currencies of whose unit the page says two things. It lists UGX among the zero-decimal currencies, which makes 500
    /// of it 500 shillings, and among the special cases, which makes 500 of it 5 shillings.
    static let ambiguous: Set = ["UGX"]

    private static let zeroDecimal = codes(
        "BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF"
    )

    private static let threeDecimal = codes("BHD JOD KWD OMR TND")

    /// The other currencies of the list. HUF and TWD are among them: Stripe pays out whole forints and dollars only, but
    /// charges two decimals ("Special cases").
    private static let twoDecimal = codes(
        """
        AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CNY COP CRC
        CVE CZK DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR JMD KES KGS KHR KYD
        KZT LAK LBP LKR LRD LSL MAD MDL MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP
        PKR PLN QAR RON RSD RUB SAR SBD SCR SEK SGD SHP SLE SOS SRD STD SZL THB TJS TOP TRY TTD TWD TZS UAH USD UYU UZS
        WST XCD YER ZAR ZMW
        """
    )

    /// The minimum charges ("Minimum charge amount by currency"). They apply to an account that is paid out in the same
    /// currency. For another account, Stripe converts the minimum of the currency in which it is paid out.
    private static let minimums: [String: Int64] = [
        "AED": 200, "ARS": 50, "AUD": 50, "BGN": 100, "BRL": 50, "CAD": 50, "CHF": 50, "COP": 50, "CZK": 1500,
        "DKK": 250, "EUR": 50, "GBP": 30, "HKD": 400, "HUF": 17500, "IDR": 50, "ILS": 50, "INR": 50, "JPY": 50,
        "KRW": 50, "MXN": 1000, "MYR": 200, "NOK": 300, "NZD": 50, "PHP": 50, "PLN": 200, "RON": 200, "RUB": 50,
        "SEK": 300, "SGD": 50, "THB": 1000, "USD": 50, "ZAR": 50,
    ]

    /// The maximum charges with more than eight digits ("Maximum charge amounts"). These hold for each method of payment;
    /// the networks of some cards allow more.
    private static let maximums: [String: Int64] = ["COP": 9_999_999_999, "IDR": 999_999_999_999, "INR": 999_999_999]
    private static let maximumDefault: Int64 = 99_999_999

    private init(_ code: String, digits: Int, step: Int64 = 1) {
        self.code = code
        self.digits = digits
        self.step = step
        minimum = Self.minimums[code] ?? step
        maximum = Self.maximums[code] ?? Self.maximumDefault
    }

    private static func codes(_ text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).map(String.init)
    }
}
