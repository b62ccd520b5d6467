package import Foundation
import TillCrypto
package import TillInvariants
package import TillModel

/// The products of the recorded store, and its hosted content.
package enum Store {
    /// The length of a file of random bytes, which is not a multiple of a sector.
    private static let fileLength = 41_717
    private static let sectionLength = 9_001

    static let applications = ["org.example.alpha", "org.example.alpha", "org.example.beta"]
    /// The application that downloads.
    static let hostedApplication = "org.example.gamma"
    static let declined = "org.example.declined"
    static let hostedProducts = ["org.example.hosted.file", "org.example.hosted.archive"]

    private static let items = [
        ("org.example.coins", "Consumable", "0.99"), (declined, "Consumable", "0.99"),
        ("org.example.pro", "NonConsumable", "14.99"), ("org.example.themes", "NonConsumable", "4.99"),
        ("org.example.gift", "NonConsumable", "0.00"), (hostedProducts[0], "Consumable", "1.99"),
        (hostedProducts[1], "Consumable", "2.99"),
    ]

    /// The prices of one unit, by product.
    package static let prices: [String: Set<Price>] = Dictionary(
        uniqueKeysWithValues: items.map { ($0.0, [Price(amount: Decimal(string: $0.2) ?? 0, currency: "USD")]) }
    )

    /// The catalogue in Xcode's format.
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

    /// The content that the server has, by the last component of its address.
    static let served: [String: [UInt8]] = ["file": bytes(fileLength, seed: 1), "archive": Tar.archive(sections)]

    private static let sections: [String: [UInt8]] = [
        "one": bytes(sectionLength, seed: 2), "inner/two": bytes(sectionLength, seed: 3), "inner/empty": [],
    ]

    /// The content that applications receive, by its identifier.
    package static let hosted: [String: Content] = [
        "file": Content(identifier: "file", files: ["": digest(bytes(fileLength, seed: 1))]),
        "archive": Content(identifier: "archive", files: sections.mapValues(digest)),
    ]

    /// The manifest of the products' content and its addresses, in the format that the daemon reads with a catalogue.
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
