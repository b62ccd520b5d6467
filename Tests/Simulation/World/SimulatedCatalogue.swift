import FoundationEssentials
import TillEngine
import TillModel

/// The few products of the simulated store.
struct SimulatedCatalogue: Catalogue {
    static let coins = "coins"
    static let owned = ["pro", "themes"]
    /// Of one group, the better one first.
    static let subscriptions = ["premium", "basic"]
    /// A product that nobody sells, so that its payments fail without a charge.
    static let unknown = "nothing"

    static let products: [String: Product] = Dictionary(
        uniqueKeysWithValues: [
            product(coins, .consumable, minorUnits: 99), product("pro", .nonConsumable, minorUnits: 499),
            product("themes", .nonConsumable, minorUnits: 199), subscription("premium", level: 1, minorUnits: 999),
            subscription("basic", level: 2, minorUnits: 299),
        ]
        .map { ($0.id, $0) }
    )
    static let prices = products.mapValues(\.price)

    var settings = StoreSettings()

    var productIDs: [String] {
        Self.products.keys.sorted()
    }

    func product(_ id: String, locale: String?, storefront: String) -> Product? {
        Self.products[id]
    }

    func contents(ofProduct id: String) -> [ContentSource] {
        []
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
        nil
    }

    private static func subscription(_ id: String, level: Int, minorUnits: Int) -> Product {
        var product = product(id, .autoRenewableSubscription, minorUnits: minorUnits)
        product.subscription = SubscriptionInfo(
            groupID: "service",
            groupName: "service",
            level: level,
            period: SubscriptionPeriod(unit: .month, value: 1),
            offers: []
        )
        return product
    }

    private static func product(_ id: String, _ type: ProductType, minorUnits: Int) -> Product {
        Product(
            id: id,
            type: type,
            displayName: id,
            description: id,
            price: Price(amount: Decimal(minorUnits) / 100, currency: "USD"),
            locale: "en-US"
        )
    }
}

extension World {
    /// Something that the store sells, and how many of it.
    func randomGoods() -> (product: String, quantity: Int) {
        if profile.subscribes, random.chance(400) {
            return (SimulatedCatalogue.subscriptions[random.below(SimulatedCatalogue.subscriptions.count)], 1)
        }
        return random.chance(600)
            ? (SimulatedCatalogue.coins, random.number(in: 1...3))
            : (SimulatedCatalogue.owned[random.below(SimulatedCatalogue.owned.count)], 1)
    }
}
