package import Foundation
import TillCrypto
package import TillInvariants
package import TillModel

/// What the recorded store sells, and what it hosts.
package enum Store {
    /// Bytes that look random; neither a sector long nor as long as many.
    private static let fileLength = 41_717
    private static let sectionLength = 9_001

    static let applications = ["org.example.alpha", "org.example.alpha", "org.example.beta"]
    /// The one that downloads.
    static let hostedApplication = "org.example.gamma"
    static let declined = "org.example.declined"
    static let hostedProducts = ["org.example.hosted.file", "org.example.hosted.archive"]

    private static let items = [
        ("org.example.coins", "Consumable", "0.99"), (declined, "Consumable", "0.99"),
        ("org.example.pro", "NonConsumable", "14.99"), ("org.example.themes", "NonConsumable", "4.99"),
        ("org.example.gift", "NonConsumable", "0.00"), (hostedProducts[0], "Consumable", "1.99"),
        (hostedProducts[1], "Consumable", "2.99"),
    ]

    /// Of one piece, by product.
    package static let prices: [String: Set<Price>] = Dictionary(
        uniqueKeysWithValues: items.map { ($0.0, [Price(amount: Decimal(string: $0.2) ?? 0, currency: "USD")]) }
    )

    /// The catalogue as Xcode writes it.
    package static func catalogue() throws -> Data {
        let products = items.enumerated().map { number, item in
            [
                "displayPrice": item.2, "familyShareable": false, "internalID": "\(number)", "localizations": [],
                "productID": item.0, "referenceName": item.0, "type": item.1,
            ] as [String: Any]
        }
        let catalogue: [String: Any] = [
            "identifier": "CRASHSTO", "nonRenewingSubscriptions": [], "products": products,
            "settings": ["_storefront": "USA", "_locale": "en_US"], "subscriptionGroups": [],
            "version": ["major": 3, "minor": 0],
        ]
        return try JSONSerialization.data(withJSONObject: catalogue)
    }

    /// What a server has to give, by the last part of its address.
    static let served: [String: [UInt8]] = ["file": bytes(fileLength, seed: 1), "archive": Tar.archive(sections)]

    private static let sections: [String: [UInt8]] = [
        "one": bytes(sectionLength, seed: 2), "inner/two": bytes(sectionLength, seed: 3), "inner/empty": [],
    ]

    /// What applications find, by the content's identifier.
    package static let hosted: [String: Content] = [
        "file": Content(identifier: "file", files: ["": digest(bytes(fileLength, seed: 1))]),
        "archive": Content(identifier: "archive", files: sections.mapValues(digest)),
    ]

    /// Which content a product has and where it is, in the form that the daemon reads beside a catalogue.
    static func manifest(address: (String) -> String) throws -> Data {
        var products: [String: Any] = [:]
        for (product, name) in zip(hostedProducts, ["file", "archive"]) {
            let bytes = served[name] ?? []
            var content: [String: Any] = [
                "identifier": name, "version": "1.0", "length": bytes.count, "source": address("/\(name)"),
                "sha256": SHA256Digest(of: bytes).bytes.hexadecimal,
            ]
            content["archive"] = name == "archive" ? "tar" : nil
            products[product] = [content]
        }
        return try JSONSerialization.data(withJSONObject: ["version": 1, "products": products] as [String: Any])
    }

    private static func digest(_ bytes: [UInt8]) -> Content.Digest {
        Content.Digest(Data(bytes))
    }

    private static func bytes(_ length: Int, seed: UInt64) -> [UInt8] {
        let chance = Chance(seed: seed)
        return (0..<length).map { UInt8(truncatingIfNeeded: chance.below(256, $0)) }
    }
}
