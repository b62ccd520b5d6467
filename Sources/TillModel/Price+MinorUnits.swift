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
