public import FoundationEssentials

/// A product of the store.
public struct Product: Hashable, Sendable, Identifiable {
    public var id: String
    public var type: ProductType
    /// The name in the language of `locale`.
    public var displayName: String
    public var description: String
    public var price: Price
    /// BCP 47, for example `en-US`: the language of the texts and the format of the price.
    public var locale: String
    public var isFamilyShareable: Bool
    /// Present only for auto-renewable subscriptions.
    public var subscription: SubscriptionInfo?
    /// The content that the store hosts for buyers.
    public var contents: [ProductContent]

    public init(
        id: String,
        type: ProductType,
        displayName: String,
        description: String,
        price: Price,
        locale: String,
        isFamilyShareable: Bool = false,
        subscription: SubscriptionInfo? = nil,
        contents: [ProductContent] = []
    ) {
        self.id = id
        self.type = type
        self.displayName = displayName
        self.description = description
        self.price = price
        self.locale = locale
        self.isFamilyShareable = isFamilyShareable
        self.subscription = subscription
        self.contents = contents
    }
}

/// The four kinds of product (https://developer.apple.com/in-app-purchase/).
public enum ProductType: Int, Hashable, Sendable, CaseIterable {
    case consumable = 0
    case nonConsumable = 1
    case nonRenewingSubscription = 2
    case autoRenewableSubscription = 3

    /// Whether purchases of this type can be restored.
    public var isRestorable: Bool {
        switch self {
        case .nonConsumable, .autoRenewableSubscription: true
        case .consumable, .nonRenewingSubscription: false
        }
    }
}

/// An amount of money in a currency.
public struct Price: Hashable, Sendable {
    /// The amount in the currency's major unit, for example 4.99.
    public var amount: Decimal {
        didSet { units = Self.minorUnits(amount, currency) }
    }
    /// ISO 4217.
    public var currency: String {
        didSet { units = Self.minorUnits(amount, currency) }
    }
    /// The amount in the currency's minor unit; nil if ``minorUnits(quantity:)`` is. It is kept because every payment
    /// needs it, and converting a decimal is slow.
    private var units: Int64?

    public init(amount: Decimal, currency: String) {
        self.amount = amount
        self.currency = currency
        units = Self.minorUnits(amount, currency)
    }
}

/// A country in which the store sells; it determines currency and language.
public struct Storefront: Hashable, Sendable {
    /// ISO 3166-1 alpha-3.
    public var countryCode: String
    /// The App Store's number for the storefront, for example `143441` for the United States.
    public var identifier: String

    public init(countryCode: String, identifier: String) {
        self.countryCode = countryCode
        self.identifier = identifier
    }
}

extension Price {
    /// The maximum charge of one payment in minor units.
    package static let chargeMaximum: Int64 = 1_000_000_000_000

    /// ISO 4217's code for no currency, for transactions without payment and refunds that could not return money.
    package static let noCurrency = "XXX"

    /// The total price of a quantity in the currency's minor unit, for example 998 for twice 4.99 USD.
    ///
    /// Nil if the total is negative, above ``chargeMaximum``, or not a whole number of minor units.
    package func minorUnits(quantity: Int) -> Int64? {
        guard let units else {
            // The total may be whole although the price is not: twice 1.5 JPY.
            return quantity == 1 ? nil : Self.minorUnits(amount * Decimal(quantity), currency)
        }
        let (total, isTooLarge) = units.multipliedReportingOverflow(by: Int64(quantity))
        return isTooLarge ? nil : Self.chargeable(total)
    }

    private static func minorUnits(_ amount: Decimal, _ currency: String) -> Int64? {
        let total = Decimal(sign: .plus, exponent: fractionDigits(ofCurrency: currency), significand: amount)
        // A decimal that is not whole prints with a fraction, which `Int64` does not parse.
        return Int64("\(total)").flatMap(chargeable)
    }

    private static func chargeable(_ units: Int64) -> Int64? {
        (0...chargeMaximum).contains(units) ? units : nil
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
        guard units == nil else {
            return self
        }
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
        amount = Decimal(sign: sign, exponent: -digits, significand: Decimal(minorUnits.magnitude))
        self.currency = currency
        units = Self.chargeable(minorUnits)
    }
}
