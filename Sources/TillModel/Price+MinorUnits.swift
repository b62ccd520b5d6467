import FoundationEssentials

extension Price {
    /// The maximum charge of one payment in minor units.
    package static let chargeMaximum: Int64 = 1_000_000_000_000

    /// ISO 4217's code for no currency, for transactions without payment and refunds that could not return money.
    package static let noCurrency = "XXX"

    /// The total price of a quantity in the currency's minor unit, for example 998 for twice 4.99 USD.
    ///
    /// Nil if the total is negative, above ``chargeMaximum``, or not a whole number of minor units.
    package func minorUnits(quantity: Int) -> Int64? {
        let digits = Self.fractionDigits(ofCurrency: currency)
        // Skip the multiplication if possible, because it is the slowest step.
        let price = quantity == 1 ? amount : amount * Decimal(quantity)
        let total = Decimal(sign: .plus, exponent: digits, significand: price)
        // A decimal that is not whole prints with a fraction, which `Int64` does not parse.
        guard let units = Int64("\(total)"), (0...Self.chargeMaximum).contains(units) else {
            return nil
        }
        return units
    }

    /// The number of digits after the decimal separator (ISO 4217, list one).
    package static func fractionDigits(ofCurrency code: String) -> Int {
        switch code {
        case "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF",
            "XOF", "XPF":
            0
        case "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND":
            3
        default:
            2
        }
    }
}

extension Price {
    /// The nearest price that can be charged in the currency: rounded half up to the minor unit, but at least one unit
    /// unless it is free. A price that cannot be charged even if rounded stays unchanged.
    package var chargeable: Price {
        let digits = Self.fractionDigits(ofCurrency: currency)
        let parts = "\(amount)".split(separator: ".", maxSplits: 1)
        guard amount > 0, parts.count == 2, parts[1].utf8.count > digits,
            let units = Int64(parts[0] + parts[1].prefix(digits)), units < Self.chargeMaximum
        else {
            return self
        }
        let isRoundedUp = parts[1].dropFirst(digits).first.map { $0 >= "5" } ?? false
        return Price(minorUnits: max(units + (isRoundedUp ? 1 : 0), 1), currency: currency)
    }

    /// Creates a price from minor units, for example 4.99 USD from 499.
    package init(minorUnits: Int64, currency: String) {
        let digits = Self.fractionDigits(ofCurrency: currency)
        let sign: FloatingPointSign = minorUnits < 0 ? .minus : .plus
        self.init(
            amount: Decimal(sign: sign, exponent: -digits, significand: Decimal(minorUnits.magnitude)),
            currency: currency
        )
    }
}
