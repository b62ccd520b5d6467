import FoundationEssentials
package import TillModel

/// An amount of money as Stripe's API has it, in the fields `amount` and `currency`.
package struct StripeAmount: Hashable, Sendable {
    /// In Stripe's unit of the currency, which is not always the minor unit of ISO 4217.
    package var amount: Int64
    /// ISO 4217 in lower case.
    package var currency: String

    /// Creates an amount that a response of Stripe has. It is not checked: a refund, for example, may be below the minimum
    /// of a charge.
    package init(amount: Int64, currency: String) {
        self.amount = amount
        self.currency = currency
    }

    /// Creates the amount of a charge, which is exactly the given one.
    ///
    /// - Parameters:
    ///   - minorUnits: The amount in the currency's minor unit of ISO 4217.
    ///   - currency: ISO 4217, in upper case.
    /// - Throws: ``Refusal`` if Stripe cannot take the amount exactly.
    package init(charging minorUnits: Int64, currency: String) throws(Refusal) {
        let price = Price(minorUnits: minorUnits, currency: currency)
        guard !StripeCurrency.ambiguous.contains(currency) else {
            throw .ambiguousCurrency(price)
        }
        guard let rules = StripeCurrency.supported[currency] else {
            throw .unsupportedCurrency(currency)
        }
        guard let amount = Self.exactly(minorUnits, rules), amount.isMultiple(of: rules.step) else {
            throw .notExact(price, step: rules.price(rules.step))
        }
        guard amount >= rules.minimum else {
            throw .tooSmall(price, minimum: rules.price(rules.minimum))
        }
        guard amount <= rules.maximum else {
            throw .tooLarge(price, maximum: rules.price(rules.maximum))
        }
        self.init(amount: amount, currency: currency.lowercased())
    }

    /// Creates an amount of any size, such as that of a refund; nil if Stripe cannot have exactly this amount.
    ///
    /// - Parameters:
    ///   - minorUnits: The amount in the currency's minor unit of ISO 4217.
    ///   - currency: ISO 4217, in upper case.
    package init?(exactly minorUnits: Int64, currency: String) {
        guard let rules = StripeCurrency.supported[currency], let amount = Self.exactly(minorUnits, rules),
            amount.isMultiple(of: rules.step)
        else {
            return nil
        }
        self.init(amount: amount, currency: currency.lowercased())
    }

    /// Creates the amount of a charge for some of a product.
    ///
    /// - Throws: ``Refusal`` if Stripe cannot take the amount exactly.
    package init(charging price: Price, quantity: Int = 1) throws(Refusal) {
        guard let minorUnits = price.minorUnits(quantity: quantity) else {
            throw .notChargeable(price, quantity: quantity)
        }
        try self.init(charging: minorUnits, currency: price.currency)
    }

    /// The same amount as a price; nil if the unit of its currency is not known.
    package var price: Price? {
        StripeCurrency.supported[currency.uppercased()]?.price(amount)
    }

    /// The same amount in the currency's minor unit of ISO 4217; nil if it is not a whole number of them, if it is
    /// negative, or if the unit of its currency is not known.
    package var minorUnits: Int64? {
        price?.minorUnits(quantity: 1)
    }

    /// The amount in Stripe's unit; nil if it is not a whole number of them.
    private static func exactly(_ minorUnits: Int64, _ rules: StripeCurrency) -> Int64? {
        let difference = rules.digits - Price.fractionDigits(ofCurrency: rules.code)
        let factor = (0..<abs(difference)).reduce(Int64(1)) { power, _ in power * 10 }
        guard difference < 0 else {
            // An amount that overflows is above every maximum.
            let (amount, isTooLarge) = minorUnits.multipliedReportingOverflow(by: factor)
            return isTooLarge ? .max / rules.step * rules.step : amount
        }
        return minorUnits.isMultiple(of: factor) ? minorUnits / factor : nil
    }
}

extension StripeAmount {
    /// The reason why Stripe cannot take a charge exactly. Its description is a sentence that says what to do.
    package enum Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        case unsupportedCurrency(String)
        /// Stripe's documentation has two units for the currency.
        case ambiguousCurrency(Price)
        /// The amount is not a whole number of minor units, or outside of the range of charges.
        case notChargeable(Price, quantity: Int)
        /// The amount is not a multiple of the smallest one that Stripe can charge.
        case notExact(Price, step: Price)
        case tooSmall(Price, minimum: Price)
        case tooLarge(Price, maximum: Price)

        package var description: String {
            switch self {
            case .unsupportedCurrency(let code):
                "Stripe does not support the currency \(code): use one that https://docs.stripe.com/currencies lists."
            case .ambiguousCurrency(let price):
                "Stripe's documentation has two units for \(price.currency): use another currency for \(Self.text(price))."
            case .notChargeable(let price, let quantity):
                "\(quantity) times \(Self.text(price)) cannot be charged: use a total of whole minor units, at most "
                    + "\(Price.chargeMaximum)."
            case .notExact(let price, let step):
                "Stripe cannot charge exactly \(Self.text(price)): use a multiple of \(Self.text(step))."
            case .tooSmall(let price, let minimum):
                "Stripe cannot charge as little as \(Self.text(price)): use at least \(Self.text(minimum))."
            case .tooLarge(let price, let maximum):
                "Stripe cannot charge as much as \(Self.text(price)): use at most \(Self.text(maximum))."
            }
        }

        private static func text(_ price: Price) -> String {
            "\(price.amount) \(price.currency)"
        }
    }
}
