import Foundation

/// A `.storekit` file from its author's view: the behaviour that a customer may expect of the store.
struct StoreFile: Decodable {
    struct Product: Decodable {
        var productID: String
        var type: String
        var displayPrice: String
        var recurringSubscriptionPeriod: String?
        var introductoryOffer: Offer?
    }

    struct Offer: Decodable {
        var displayPrice: String?
        var paymentMode: String
        var numberOfPeriods: Int?
    }

    struct Group: Decodable {
        var subscriptions: [Product]
    }

    struct Settings: Decodable {
        var asksToBuy: Bool?
        var interrupts: Bool?
        var failsRenewals: Bool?
        var hasGracePeriod: Bool?
        var fails: Bool?
        var storefront: String?
        var timeRate: Int?

        enum CodingKeys: String, CodingKey {
            case asksToBuy = "_askToBuyEnabled"
            case interrupts = "_billingIssuesEnabled"
            case failsRenewals = "_renewalBillingIssuesEnabled"
            case hasGracePeriod = "_billingGracePeriodEnabled"
            case fails = "_failTransactionsEnabled"
            case storefront = "_storefront"
            case timeRate = "_timeRate"
        }
    }

    private var products: [Product]?
    private var nonRenewingSubscriptions: [Product]?
    private var subscriptionGroups: [Group]?
    var settings: Settings?

    init(_ file: URL) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
    }

    /// All products of the store.
    var all: [Product] {
        (products ?? []) + (nonRenewingSubscriptions ?? []) + (subscriptionGroups ?? []).flatMap(\.subscriptions)
    }

    /// The ISO 4217 currency of the storefronts in this repository's files; nil for others.
    var currency: String? {
        ["USA": "USD", "DEU": "EUR", "ESP": "EUR", "NLD": "EUR", "GBR": "GBP"][settings?.storefront ?? "USA"]
    }
}

extension StoreFile.Product {
    /// The first charge for this quantity, in minor units.
    func firstAmount(quantity: Int) throws -> Int {
        switch introductoryOffer?.paymentMode {
        case nil: try Self.minorUnits(displayPrice) * quantity
        case "free": 0
        default: try Self.minorUnits(introductoryOffer?.displayPrice ?? "")
        }
    }

    /// The first renewal's charge, in minor units.
    var renewalAmount: Int {
        get throws {
            guard introductoryOffer?.paymentMode == "payAsYouGo", introductoryOffer?.numberOfPeriods ?? 1 > 1 else {
                return try Self.minorUnits(displayPrice)
            }
            return try firstAmount(quantity: 1)
        }
    }

    /// Converts a price in a currency with two decimal places.
    private static func minorUnits(_ price: String) throws -> Int {
        let amount = try Decimal(price, format: .number.locale(Locale(identifier: "en_US_POSIX")))
        return NSDecimalNumber(decimal: amount * 100).intValue
    }
}
