import Foundation
import FoundationEssentials
import TillModel
@testable import TillCatalogue

/// Small `.storekit` texts: complete defaults, with single members replaced or removed.
enum Document {
    typealias Changes = KeyValuePairs<String, String?>

    static func file(_ changes: Changes = [:]) -> String {
        object(
            [
                "identifier": #""0A0B0C0D""#,
                "products": "[\(product())]",
                "nonRenewingSubscriptions": "[]",
                "subscriptionGroups": "[]",
                "settings": "{}",
                "version": #"{"major": 4, "minor": 0}"#,
            ],
            changes
        )
    }

    static func product(_ changes: Changes = [:]) -> String {
        object(
            [
                "type": #""Consumable""#,
                "productID": #""org.example.coins""#,
                "displayPrice": #""0.99""#,
                "familyShareable": "false",
                "internalID": #""11111111""#,
                "localizations": "[\(localization())]",
                "referenceName": #""Coins""#,
            ],
            changes
        )
    }

    static func localization(_ changes: Changes = [:]) -> String {
        object(["locale": #""en_US""#, "displayName": #""Name""#, "description": #""About it""#], changes)
    }

    static func group(_ changes: Changes = [:]) -> String {
        object(
            [
                "id": #""22222222""#,
                "name": #""Group""#,
                "localizations": "[]",
                "subscriptions": "[\(subscription())]",
            ],
            changes
        )
    }

    static func subscription(_ changes: Changes = [:]) -> String {
        object(
            [
                "type": #""RecurringSubscription""#,
                "productID": #""org.example.monthly""#,
                "displayPrice": #""4.99""#,
                "familyShareable": "true",
                "internalID": #""33333333""#,
                "localizations": "[\(localization())]",
                "referenceName": #""Monthly""#,
                "recurringSubscriptionPeriod": #""P1M""#,
                "subscriptionGroupID": #""22222222""#,
                "groupNumber": "1",
                "introductoryOffer": "null",
                "adHocOffers": "[]",
            ],
            changes
        )
    }

    static func offer(_ changes: Changes = [:]) -> String {
        object(
            [
                "internalID": #""44444444""#,
                "paymentMode": #""payAsYouGo""#,
                "subscriptionPeriod": #""P1M""#,
                "displayPrice": #""1.99""#,
                "numberOfPeriods": "3",
                "offerID": #""org.example.offer""#,
                "referenceName": #""Offer""#,
            ],
            changes
        )
    }

    static func list(_ items: String...) -> String {
        "[" + items.joined(separator: ", ") + "]"
    }

    /// A file with one changed product.
    static func with(product changes: Changes) -> String {
        file(["products": "[\(product(changes))]"])
    }

    /// A file with one changed subscription and nothing else.
    static func with(subscription changes: Changes) -> String {
        file(["products": "[]", "subscriptionGroups": "[\(group(["subscriptions": "[\(subscription(changes))]"]))]"])
    }

    /// A file with one subscription that has one changed promotional offer.
    static func with(offer changes: Changes) -> String {
        with(subscription: ["adHocOffers": "[\(offer(changes))]"])
    }

    static func with(settings: String) -> String {
        file(["settings": settings])
    }

    static func object(_ defaults: KeyValuePairs<String, String>, _ changes: Changes) -> String {
        var members = Dictionary(uniqueKeysWithValues: defaults.map { ($0.key, $0.value) })
        for (key, value) in changes { members[key] = value }
        let lines = members.sorted { $0.key < $1.key }.map { "\"\($0.key)\" : \($0.value)" }
        return "{\n" + lines.joined(separator: ",\n") + "\n}"
    }
}

extension StoreKitConfiguration {
    init(text: String, fileName: String = "Test.storekit") throws(TillError) {
        try self.init(data: Data(text.utf8), fileName: fileName)
    }
}

/// The error of a refused text; nil if it is accepted.
func refusal(of text: String) -> String? {
    do {
        _ = try StoreKitConfiguration(text: text)
        return nil
    } catch {
        return error.message
    }
}

/// The fixture files: one for each format version, with its new features.
enum Fixtures {
    static let versions = ["1.0", "1.1", "1.2", "2.0", "3.0", "4.0", "5.0"]

    static func data(version: String) throws -> Data {
        try Data(contentsOf: Bundle.module.bundleURL.appending(path: "Fixtures/\(version).storekit"))
    }
}

extension JSONValue {
    /// The value with itself and each nested value replaced in turn.
    func variants(_ replacement: JSONValue) -> [JSONValue] {
        switch self {
        case .array(let values):
            [replacement]
                + values.indices.flatMap { index in
                    values[index].variants(replacement).map { variant in
                        var values = values
                        values[index] = variant
                        return .array(values)
                    }
                }
        case .object(let members):
            [replacement]
                + members.flatMap { key, value in
                    value.variants(replacement).map { .object(members.merging([key: $0]) { _, new in new }) }
                }
        default:
            [replacement]
        }
    }

    /// The value as JSON.
    var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let text): text
        case .string(let text): "\"" + text.unicodeScalars.map(Self.escaped).joined() + "\""
        case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { JSONValue.string($0).text + ":" + $1.text }.joined(separator: ",") + "}"
        }
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"", "\\": "\\\(scalar)"
        case "\u{1B}": "\\u001b"
        default: String(scalar)
        }
    }
}

extension Range<Int> {
    /// The numbers, repeated indefinitely.
    var cycled: some Sequence<Int> {
        (0...).lazy.map { lowerBound + $0 % count }
    }
}
