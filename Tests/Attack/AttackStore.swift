import Foundation

/// What the attacked store sells.
enum AttackStore {
    static let application = "org.example.attack"
    static let product = "org.example.coins"
    /// The provider takes long to charge for it.
    static let slowProduct = "org.example.slow"
    static let slowSeconds = 20

    /// The catalogue as Xcode writes it.
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
