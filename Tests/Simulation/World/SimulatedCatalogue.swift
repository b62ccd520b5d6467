import FoundationEssentials
import TillEngine
import TillModel

/// The few products of the simulated store.
struct SimulatedCatalogue: Catalogue {
    static let coins = "coins"
    static let owned = ["pro", "themes"]
    /// A product that nobody sells, so that its payments fail without a charge.
    static let unknown = "nothing"

    static let products: [String: Product] = Dictionary(
        uniqueKeysWithValues: [
            product(coins, .consumable, minorUnits: 99), product("pro", .nonConsumable, minorUnits: 499),
            product("themes", .nonConsumable, minorUnits: 199),
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
