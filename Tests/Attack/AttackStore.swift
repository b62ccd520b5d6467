import Foundation

/// The catalogue of the attacked store.
enum AttackStore {
    static let application = "org.example.attack"
    static let product = "org.example.coins"
    /// A product that the provider charges slowly.
    static let slowProduct = "org.example.slow"
    static let slowSeconds = 20

    /// The catalogue in Xcode's format.
    static func catalogue() -> Data {
        Data(
            """
            {"identifier": "ATTACKED", "nonRenewingSubscriptions": [], "subscriptionGroups": [],
            "settings": {"_storefront": "USA", "_locale": "en_US"}, "version": {"major": 3, "minor": 0},
            "products": [{"displayPrice": "0.99", "familyShareable": false, "internalID": "1", "localizations": [],
            "productID": "\(product)", "referenceName": "coins", "type": "Consumable"},
            {"displayPrice": "0.99", "familyShareable": false, "internalID": "2", "localizations": [],
            "productID": "\(slowProduct)", "referenceName": "slow", "type": "Consumable"}]}
            """.utf8
        )
    }
}
