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
    public var amount: Decimal
    /// ISO 4217.
    public var currency: String

    public init(amount: Decimal, currency: String) {
        self.amount = amount
        self.currency = currency
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
