import FoundationEssentials
import TillEngine
import TillInvariants
import TillModel

/// The products of the simulated store, in three countries.
struct SimulatedCatalogue: Catalogue {
    static let coins = "coins"
    static let owned = ["pro", "themes"]
    /// The subscriptions of one group, the higher level first.
    static let subscriptions = ["premium", "basic"]
    /// A product that the store does not sell, so that its payments fail without a charge.
    static let unknown = "nothing"
    /// The offers that discounts ask for: one that the store has, one whose signature is always wrong, and one that the
    /// store does not have.
    static let discounts = ["loyal", forged, "none"]
    private static let forged = "forged"
    /// The currencies by country.
    static let countries = ["USA": "USD", "DEU": "EUR", "JPN": "JPY"]

    private static let products = countries.mapValues(products)
    /// The prices of each product in all countries.
    static let prices: [String: Set<Price>] = products.values.flatMap(\.values).reduce(into: [:]) { prices, product in
        prices[product.id, default: []].insert(product.price)
    }

    /// Every offer that a buyer can get.
    static let offers: [String: [AppliedOffer: Books.Offer]] = products.values.flatMap(\.values)
        .reduce(into: [:]) { offers, product in
            for offer in product.subscription?.offers ?? [] where offer.id != forged {
                let applied = AppliedOffer(type: offer.type, id: offer.id, paymentMode: offer.paymentMode)
                let none = Books.Offer(prices: [], periods: offer.periodCount)
                offers[product.id, default: [:]][applied, default: none].prices.insert(offer.price)
            }
        }

    var settings = StoreSettings()

    var productIDs: [String] {
        Self.prices.keys.sorted()
    }

    func product(_ id: String, locale: String?, storefront: String) -> Product? {
        Self.products[storefront]?[id]
    }

    func contents(ofProduct id: String) -> [ContentSource] {
        []
    }

    func hasStorefront(countryCode: String) -> Bool {
        Self.products[countryCode] != nil
    }

    func storefront(countryCode: String) -> Storefront {
        Storefront(countryCode: countryCode, identifier: countryCode)
    }

    func fault(
        of discount: PaymentDiscount,
        application: String,
        productID: String,
        applicationUsername: String?
    ) -> PaymentError? {
        discount.identifier == Self.forged ? PaymentError(.invalidSignature, "The signature is wrong.") : nil
    }

    private static func products(in currency: String) -> [String: Product] {
        let premium = [
            offer(.introductory, .payAsYouGo, price(499, currency), periodCount: 2),
            offer(.promotional, .payUpFront, price(1199, currency), id: "loyal", months: 3),
            offer(.promotional, .payAsYouGo, price(10, currency), id: forged),
        ]
        let basic = [
            offer(.introductory, .freeTrial, price(0, currency)),
            offer(.promotional, .payAsYouGo, price(99, currency), id: "loyal", periodCount: 2),
            offer(.promotional, .payAsYouGo, price(10, currency), id: forged),
        ]
        let products = [
            product(coins, .consumable, price(99, currency)), product("pro", .nonConsumable, price(499, currency)),
            product("themes", .nonConsumable, price(199, currency)),
            subscription("premium", level: 1, price(999, currency), premium),
            subscription("basic", level: 2, price(299, currency), basic),
        ]
        return Dictionary(uniqueKeysWithValues: products.map { ($0.id, $0) })
    }

    /// The price for this many US cents, converted to the currency.
    private static func price(_ cents: Int64, _ currency: String) -> Price {
        switch currency {
        case "JPY": Price(minorUnits: (cents * 3 + 1) / 2, currency: currency)
        case "EUR": Price(minorUnits: cents + cents / 10, currency: currency)
        default: Price(minorUnits: cents, currency: currency)
        }
    }

    private static func offer(
        _ type: SubscriptionOffer.OfferType,
        _ mode: SubscriptionOffer.PaymentMode,
        _ price: Price,
        id: String? = nil,
        months: Int = 1,
        periodCount: Int = 1
    ) -> SubscriptionOffer {
        SubscriptionOffer(
            id: id,
            type: type,
            paymentMode: mode,
            price: price,
            period: SubscriptionPeriod(unit: .month, value: months),
            periodCount: periodCount
        )
    }

    private static func subscription(_ id: String, level: Int, _ price: Price, _ offers: [SubscriptionOffer]) -> Product
    {
        var product = product(id, .autoRenewableSubscription, price)
        product.subscription = SubscriptionInfo(
            groupID: "service",
            groupName: "service",
            level: level,
            period: SubscriptionPeriod(unit: .month, value: 1),
            offers: offers
        )
        return product
    }

    private static func product(_ id: String, _ type: ProductType, _ price: Price) -> Product {
        Product(id: id, type: type, displayName: id, description: id, price: price, locale: "en-US")
    }
}

extension World {
    /// A random product that the store sells, and a quantity.
    func randomGoods() -> (product: String, quantity: Int) {
        if profile.subscribes, random.chance(400) {
            return (SimulatedCatalogue.subscriptions[random.below(SimulatedCatalogue.subscriptions.count)], 1)
        }
        return random.chance(600)
            ? (SimulatedCatalogue.coins, random.number(in: 1...3))
            : (SimulatedCatalogue.owned[random.below(SimulatedCatalogue.owned.count)], 1)
    }
}
