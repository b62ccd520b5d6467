import FoundationEssentials
import TillEngine
package import TillModel

/// A few products under short names.
package struct TestCatalogue: Catalogue {
    package let storefront = Storefront(countryCode: "USA", identifier: "143441")

    private let products: [String: Product]

    package init() {
        let list = [
            Self.product("coins", .consumable, "0.99"),
            Self.product("pro", .nonConsumable, "4.99"),
            Self.product("themes", .nonConsumable, "1.99"),
            Self.product("season", .nonRenewingSubscription, "9.99"),
            Self.product("monthly", .autoRenewableSubscription, "2.99"),
            Self.product("gift", .nonConsumable, "0.00"),
            Self.product("odd", .consumable, "0.999"),
        ]
        products = Dictionary(uniqueKeysWithValues: list.map { ($0.id, $0) })
    }

    package var productIDs: [String] {
        products.keys.sorted()
    }

    package func product(_ id: String, locale: String?) -> Product? {
        products[id]
    }

    private static func product(_ id: String, _ type: ProductType, _ price: String) -> Product {
        Product(
            id: id,
            type: type,
            displayName: id,
            description: id,
            price: Price(amount: Decimal(string: price) ?? 0, currency: "USD"),
            locale: "en-US"
        )
    }
}
