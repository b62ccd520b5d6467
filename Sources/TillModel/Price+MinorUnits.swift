import FoundationEssentials

extension Price {
    /// The most that one payment may charge, in minor units.
    package static let chargeMaximum: Int64 = 1_000_000_000_000

    /// ISO 4217's code for no currency: of what was not paid for, and of a refund that could not give money back.
    package static let noCurrency = "XXX"

    /// The price of `quantity` of it in the currency's minor unit, for example 998 for twice 4.99 USD.
    ///
    /// Nil when that is negative, above ``chargeMaximum``, or not a whole number of minor units.
    package func minorUnits(quantity: Int) -> Int64? {
        let digits = Self.fractionDigits(ofCurrency: currency)
        // To multiply decimals takes longer than all the rest.
        let price = quantity == 1 ? amount : amount * Decimal(quantity)
        let total = Decimal(sign: .plus, exponent: digits, significand: price)
        // A decimal that is not whole prints a fraction, and is no integer's text.
        guard let units = Int64("\(total)"), (0...Self.chargeMaximum).contains(units) else {
            return nil
        }
        return units
    }

    /// How many digits follow the decimal separator (ISO 4217, list one).
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
    /// The nearest price that can be charged in the currency: rounded half up to its minor unit, but at least one unit
    /// of what is not free. A price that cannot be charged even when rounded stays as it is.
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

    /// So many of the currency's minor unit, for example 4.99 for 499 of USD.
    package init(minorUnits: Int64, currency: String) {
        let digits = Self.fractionDigits(ofCurrency: currency)
        let sign: FloatingPointSign = minorUnits < 0 ? .minus : .plus
        self.init(
            amount: Decimal(sign: sign, exponent: -digits, significand: Decimal(minorUnits.magnitude)),
            currency: currency
        )
    }
}
