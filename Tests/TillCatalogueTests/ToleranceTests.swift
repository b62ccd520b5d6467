import Testing
import TillModel

@testable import TillCatalogue

/// Files that are accepted with warnings.
struct ToleranceTests {
    struct Case: CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let warnings: [String]

        init(_ description: String, _ text: String, _ warnings: String...) {
            testDescription = description
            self.text = text
            self.warnings = warnings
        }
    }

    @Test(arguments: files + products + subscriptions + offers + settings)
    func theFileIsRead(_ example: Case) throws {
        let configuration = try StoreKitConfiguration(text: example.text)
        #expect(configuration.warnings.map(\.message) == example.warnings)
        #expect(configuration.warnings.allSatisfy { $0.severity == .warning && $0.file == "Test.storekit" })
    }

    static let files = [
        Case("complete", Document.file()),
        Case("no identifier", Document.file(["identifier": nil])),
        Case("no settings", Document.file(["settings": nil])),
        Case("settings are null", Document.file(["settings": "null"])),
        Case("no non-renewing subscriptions", Document.file(["nonRenewingSubscriptions": nil])),
        Case("no subscription groups", Document.file(["subscriptionGroups": nil])),
        Case("no policies", Document.file(["appPolicies": nil])),
        Case("empty policies", Document.file(["appPolicies": #"{"eula": "", "policies": [{"policyURL": ""}]}"#])),
        Case("byte order mark", "\u{FEFF}" + Document.file()),
        Case("carriage returns", Document.file().split(separator: "\n").joined(separator: "\r\n")),
        Case(
            "unknown keys, each reported once for its kind",
            Document.file([
                "_new": "[1, {}]",
                "products": Document.list(
                    Document.product(["newer": "{}"]),
                    Document.product(["newer": "null", "productID": #""org.example.two""#])
                ),
            ]),
            "the key '_new' of a file is unknown and ignored",
            "the key 'newer' of a product is unknown and ignored"
        ),
        Case(
            "unknown major version",
            Document.file(["version": #"{"major": 7, "minor": 0}"#]),
            "the format's major version 7 is unknown; only its known parts are used"
        ),
        Case("no version", Document.file(["version": nil]), "the file has no format version"),
        Case("no products", Document.file(["products": "[]"]), "the file has no products"),
        Case(
            "key pair without key",
            Document.file(["subscriptionOffersKeyPair": #"{"id": "A"}"#]),
            "subscriptionOffersKeyPair has no id or no base64 private key and is ignored"
        ),
    ]

    static let products = [
        Case("price as a number", Document.with(product: ["displayPrice": "4.99"])),
        Case(
            "null as reference name",
            Document.with(product: ["referenceName": "null"]),
            "the product has no reference name"
        ),
        Case(
            "no localizations",
            Document.with(product: ["localizations": "[]"]),
            "the product has no localization"
        ),
        Case(
            "empty texts",
            Document.with(product: [
                "localizations": Document.list(Document.localization(["displayName": #""""#, "description": "null"]))
            ]),
            "the display name in en-US is empty",
            "the description in en-US is empty"
        ),
        Case(
            "duplicate language",
            Document.with(product: [
                "localizations": Document.list(Document.localization(), Document.localization(["locale": #""en-us""#]))
            ]),
            "en-US is duplicated; the first is used"
        ),
        Case(
            "no language",
            Document.with(product: ["localizations": Document.list(Document.localization(["locale": #""?""#]))]),
            "locale '?' is not a language such as en_US"
        ),
        Case("no cost", Document.with(product: ["displayPrice": #""0.0""#]), "the product is free"),
        Case(
            "parts of a cent",
            Document.with(product: ["displayPrice": #""0.994""#]),
            "the displayPrice 0.994 is rounded to 0.99 USD"
        ),
        Case(
            "an empty price",
            Document.with(product: ["displayPrice": #""""#]),
            "the displayPrice is empty and is read as 0",
            "the product is free"
        ),
        Case(
            "empty groups of version 6.3",
            Document.file(["subscriptionBundleGroups": "[]", "subscriptionSuiteGroups": "[]"])
        ),
        Case(
            "bundles of subscriptions",
            Document.file(["subscriptionBundleGroups": #"[{"id": "1"}]"#]),
            "subscriptionBundleGroups are not supported and are ignored"
        ),
        Case(
            "a text where a flag belongs",
            Document.with(product: ["familyShareable": #""yes""#]),
            "familyShareable is not true or false and is ignored"
        ),
        Case("no flag", Document.with(product: ["familyShareable": nil])),
    ]

    static let subscriptions = [
        Case("days", Document.with(subscription: ["recurringSubscriptionPeriod": #""P7D""#])),
        Case("no introductory offer", Document.with(subscription: ["introductoryOffer": nil])),
        Case("no promotional offers", Document.with(subscription: ["adHocOffers": nil])),
        Case(
            "another group's number",
            Document.with(subscription: ["subscriptionGroupID": #""9""#]),
            "subscriptionGroupID '9' differs from the group's id '22222222', which is used"
        ),
        Case(
            "level zero",
            Document.with(subscription: ["groupNumber": "0"]),
            "groupNumber is not a whole number from 1 to 1000 and is ignored"
        ),
        Case(
            "levels with a gap",
            Document.with(subscription: ["groupNumber": "2"]),
            "the levels of the subscription group 'Group' skip a number below 2"
        ),
        Case(
            "empty group",
            Document.file(["subscriptionGroups": Document.list(Document.group(["subscriptions": "[]"]))]),
            "the subscription group 'Group' has no subscriptions"
        ),
        Case(
            "duplicate group",
            Document.file([
                "subscriptionGroups": Document.list(
                    Document.group(),
                    Document.group([
                        "subscriptions": Document.list(Document.subscription(["productID": #""org.example.two""#]))
                    ])
                )
            ]),
            "the subscription group '22222222' is duplicated in the file; both are treated as one group"
        ),
        Case(
            "billed by the month",
            Document.with(subscription: ["billingPlans": #"[{"billingPlanType": "MONTHLY", "isEnabled": true}]"#]),
            "the billing plan 'MONTHLY' is not supported"
        ),
        Case(
            "billed by the month, switched off",
            Document.with(subscription: ["billingPlans": #"[{"billingPlanType": "MONTHLY", "isEnabled": false}]"#])
        ),
        Case(
            "two introductory offers",
            Document.with(subscription: [
                "introductoryOffers": Document.list(
                    Document.offer(),
                    Document.offer(["internalID": #""2""#])
                )
            ]),
            "there is more than one introductory offer; the first is used"
        ),
    ]

    static let offers = [
        Case("free with a price", Document.with(offer: ["paymentMode": #""free""#, "displayPrice": #""x""#])),
        Case("free without a price", Document.with(offer: ["paymentMode": #""free""#, "displayPrice": nil])),
        Case("no number of periods", Document.with(offer: ["numberOfPeriods": nil])),
        Case("mode none", Document.with(offer: ["paymentMode": #""none""#, "subscriptionPeriod": nil])),
        Case(
            "empty price",
            Document.with(offer: ["displayPrice": #""""#]),
            "the offer 'org.example.offer' is ignored: its displayPrice is empty"
        ),
        Case(
            "no identifier",
            Document.with(offer: ["offerID": nil]),
            "the offer 'Offer' is ignored: its offerID is missing or invalid"
        ),
        Case(
            "duplicate identifier",
            Document.with(subscription: ["adHocOffers": Document.list(Document.offer(), Document.offer())]),
            "the offer 'org.example.offer' is ignored: its offerID is duplicated"
        ),
        Case(
            "unknown mode",
            Document.with(offer: ["paymentMode": #""later""#]),
            "the offer 'org.example.offer' is ignored: its paymentMode 'later' is unknown"
        ),
        Case(
            "no mode",
            Document.with(offer: ["paymentMode": nil]),
            "the offer 'org.example.offer' is ignored: it has no paymentMode"
        ),
        Case(
            "billed by the month",
            Document.with(offer: ["billingPlanType": #""MONTHLY""#]),
            "the offer 'org.example.offer' is ignored: the billing plan 'MONTHLY' is not supported"
        ),
        Case(
            "negative number of periods",
            Document.with(offer: ["numberOfPeriods": "-1"]),
            "numberOfPeriods is not a whole number from 1 to 1000 and is ignored"
        ),
    ]

    static let settings = [
        Case("compatible rate as a number", Document.with(settings: #"{"_compatibilityTimeRate": 6}"#)),
        Case("compatible rate as an object", Document.with(settings: #"{"_compatibilityTimeRate": {"3": 5}}"#)),
        Case("synchronised", Document.with(settings: #"{"_lastSynchronizedDate": 755000000.25}"#)),
        Case("failure without current", Document.with(settings: #"{"_storeKitErrors": [{"name": "Purchase"}]}"#)),
        Case(
            "unknown rate",
            Document.with(settings: #"{"_timeRate": 2000, "_compatibilityTimeRate": {"3": 5, "4": 13}}"#),
            "_timeRate 2000 is unknown; monthlyRenewalEveryFiveMinutes is used"
        ),
        Case(
            "armed failure",
            Document.with(settings: #"{"_storeKitErrors": [{"name": "Purchase", "enabled": true}]}"#),
            "the simulated failure 'Purchase' has no effect"
        ),
        Case(
            "unknown storefront",
            Document.with(settings: #"{"_storefront": "ATA"}"#),
            "the App Store has no known storefront ATA; prices are in USD"
        ),
        Case(
            "yen have no decimals",
            Document.with(settings: #"{"_storefront": "JPN"}"#),
            "the displayPrice 0.99 is rounded to 1 JPY"
        ),
        Case(
            "wrong types",
            Document.with(settings: #"{"_timeRate": "fast", "_askToBuyEnabled": 1, "_lastSynchronizedDate": 1e999}"#),
            "_timeRate is not a whole number and is ignored",
            "_askToBuyEnabled is not true or false and is ignored",
            "_lastSynchronizedDate is not a number and is ignored"
        ),
        Case(
            "settings that are not an object",
            Document.with(settings: "[]"),
            "settings is not an object and is ignored"
        ),
    ]
}
