package import Foundation
package import TillModel

/// The products of these tests' store. Their names say how the provider fails.
package enum TestStore {
    private struct Item {
        var id: String
        var type: String
        var price: String
    }

    package static let coins = "org.example.coins"
    package static let pro = "org.example.pro"
    package static let declined = ["org.example.declined.coins", "org.example.declined.pro"]
    package static let timeoutBefore = ["org.example.before.coins", "org.example.before.pro"]
    package static let timeoutAfter = ["org.example.after.coins", "org.example.after.pro"]
    package static let slow = ["org.example.slow.coins", "org.example.slow.pro"]

    private static let items =
        [coins, declined[0], timeoutBefore[0], timeoutAfter[0], slow[0]].map {
            Item(id: $0, type: "Consumable", price: "0.99")
        }
        + [pro, declined[1], timeoutBefore[1], timeoutAfter[1], slow[1], "org.example.themes", "org.example.fonts"].map
    {
        Item(id: $0, type: "NonConsumable", price: "14.99")
    }
        + [Item(id: "org.example.gift", type: "NonConsumable", price: "0.00")]

    /// The prices of one unit, by product.
    package static let prices: [String: Set<Price>] = Dictionary(
        uniqueKeysWithValues: items.map { ($0.id, [Price(amount: Decimal(string: $0.price) ?? 0, currency: "USD")]) }
    )

    /// The catalogue in Xcode's format.
    package static func catalogue() throws -> Data {
        let products = items.enumerated().map { number, item in
            [
                "displayPrice": item.price, "familyShareable": false, "internalID": "\(number)", "localizations": [],
                "productID": item.id, "referenceName": item.id, "type": item.type,
            ] as [String: Any]
        }
        let catalogue: [String: Any] = [
            "identifier": "TESTSTOR", "nonRenewingSubscriptions": [], "products": products,
            "settings": ["_storefront": "USA", "_locale": "en_US"], "subscriptionGroups": [],
            "version": ["major": 3, "minor": 0],
        ]
        return try JSONSerialization.data(withJSONObject: catalogue)
    }
}
