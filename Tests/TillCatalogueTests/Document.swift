import FoundationEssentials
import TillCatalogue
import TillModel

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
