import FoundationEssentials
import Testing
import TillModel

@testable import TillCatalogue

/// The errors of catalogue files, with their messages.
struct RefusalTests {
    @Test(arguments: [
        ("", "the file is empty"),
        ("nothing", "the file is not valid JSON: in line 1, a value is expected"),
        ("{\n\"products\": [,]}", "the file is not valid JSON: in line 2, a value is expected"),
        ("[]", "the file contains JSON, but not a StoreKit configuration, which is an object"),
        ("{}", "the file has neither products nor subscriptionGroups, so it is not a StoreKit configuration"),
        (Document.file(["products": "{}"]), "products is not a list"),
        (Document.file(["products": "[1]"]), "products has an entry that is not an object"),
        (Document.file(["subscriptionGroups": "[1]"]), "subscriptionGroups has an entry that is not an object"),
        (Document.with(product: ["productID": nil]), "a product in products has no productID"),
        (Document.with(product: ["productID": #""""#]), "a product in products has no productID"),
        (
            Document.with(product: ["productID": #""a b\u001b""#]),
            "the productID 'a b\\u{1B}' must be 1 to 128 of A-Z a-z 0-9 . _ : -"
        ),
        (
            Document.file(["subscriptionGroups": Document.list(Document.group(["id": nil]))]),
            "a subscription group has no id"
        ),
        (
            Document.with(settings: #"{"_storefront": "usa"}"#),
            "_storefront 'usa' is not an ISO 3166-1 alpha-3 code such as USA"
        ),
    ])
    func aFileIsRefusedWithItsNameAndTheReason(text: String, reason: String) {
        #expect(refusal(of: text) == "Test.storekit: \(reason).")
    }

    @Test(arguments: [
        ("a decimal comma", "0,99"), ("a currency", "$0.99"), ("grouping", "1,000.00"), ("a sign", "-1"),
        ("nothing before the point", ".99"), ("nothing after the point", "1."), ("letters", "12abc"),
        ("an exponent", "1e2"), ("blanks", " 1"), ("two points", "1.0.0"), ("other digits", "٣"),
        ("too many digits", "1234567890123"), ("not a number", "NaN"),
    ])
    func aPriceThatIsNotPlainIsRefused(what: String, price: String) {
        let rule = "a decimal number such as 4.99, without sign, currency or grouping"
        #expect(
            refusal(of: Document.with(product: ["displayPrice": "\"\(price)\""]))
                == "Test.storekit: org.example.coins: the displayPrice '\(price)' is not \(rule)."
        )
    }

    @Test(arguments: ["null", "{}", "true"])
    func aProductWithoutAPriceIsRefused(json: String) {
        #expect(
            refusal(of: Document.with(product: ["displayPrice": json]))
                == "Test.storekit: org.example.coins: the product has no displayPrice."
        )
    }

    @Test(arguments: [
        (Document.with(product: ["type": #""Rental""#]), "org.example.coins: the type 'Rental' is unknown"),
        (Document.with(product: ["type": nil]), "org.example.coins: the product has no type"),
        (
            Document.with(product: ["type": #""RecurringSubscription""#]),
            "org.example.coins: an auto-renewable subscription is outside a subscription group"
        ),
        (
            Document.with(subscription: ["type": #""Consumable""#]),
            "org.example.monthly: a product in a subscription group is not a RecurringSubscription"
        ),
        (
            Document.with(subscription: ["recurringSubscriptionPeriod": nil]),
            "org.example.monthly: the recurringSubscriptionPeriod of the subscription is not "
                + "a period such as P1W, P1M or P1Y"
        ),
        (
            Document.with(offer: ["subscriptionPeriod": #""1M""#]),
            "org.example.monthly: the subscriptionPeriod of the offer is '1M', which is not "
                + "a period such as P1W, P1M or P1Y"
        ),
        (
            Document.with(product: ["localizations": "{}"]),
            "org.example.coins: localizations is not a list"
        ),
        (
            Document.file(["products": Document.list(Document.product(), Document.product())]),
            "org.example.coins: the product is duplicated in the file"
        ),
        (
            Document.file([
                "products": Document.list(Document.product(["productID": #""org.example.monthly""#])),
                "subscriptionGroups": Document.list(Document.group()),
            ]),
            "org.example.monthly: the product is duplicated in the file"
        ),
    ])
    func aProductIsRefusedByItsIdentifier(text: String, reason: String) {
        #expect(refusal(of: text) == "Test.storekit: \(reason).")
    }

    @Test(arguments: [
        "", "P", "PM", "P0M", "P-1M", "P1.5M", "p1m", "P1m", "P1H", "PT1H", "P1Y2M", "P1001D", "P99999999999999999999Y",
    ])
    func aPeriodOfAnotherKindIsRefused(period: String) {
        let refusal = refusal(of: Document.with(subscription: ["recurringSubscriptionPeriod": "\"\(period)\""]))
        #expect(refusal?.contains("'\(period)', which is not a period") == true)
    }

    @Test
    func furtherErrorsAreCounted() {
        let broken = ["a", "b", "c"].map { Document.product(["productID": "\"\($0)\"", "displayPrice": "null"]) }
        let two = Document.file(["products": Document.list(broken[0], broken[1])])
        let three = Document.file(["products": Document.list(broken[0], broken[1], broken[2])])
        #expect(refusal(of: two) == "Test.storekit: a: the product has no displayPrice, and there is 1 more error.")
        #expect(refusal(of: three) == "Test.storekit: a: the product has no displayPrice, and there are 2 more errors.")
    }

    @Test
    func limitsAreErrorsWithTheirNumber() {
        let long = "\"" + String(repeating: "x", count: CatalogueLimits.textBytes + 1) + "\""
        let texts = Document.list(Document.localization(["displayName": long]))
        let many = (0...CatalogueLimits.localizations).map { _ in "{}" }.joined(separator: ",")
        let offers = (0...CatalogueLimits.offers).map { _ in "{}" }.joined(separator: ",")
        let cases = [
            (
                Document.with(product: ["localizations": texts]),
                "org.example.coins: displayName is longer than 1024 bytes"
            ),
            (
                Document.with(product: ["localizations": "[\(many)]"]),
                "org.example.coins: there are more than 500 localizations"
            ),
            (
                Document.with(subscription: ["adHocOffers": "[\(offers)]"]),
                "org.example.monthly: the subscription has more than 40 offers"
            ),
        ]
        for (text, reason) in cases {
            #expect(refusal(of: text) == "Test.storekit: \(reason).")
        }
    }

    @Test
    func moreProductsThanTheLimitAreRefused() {
        let products = (0...CatalogueLimits.products).map { Document.product(["productID": "\"p\($0)\""]) }
        let text = Document.file(["products": "[" + products.joined(separator: ",") + "]"])
        #expect(refusal(of: text) == "Test.storekit: the file has more than 10000 products.")
    }

    @Test
    func moreBytesThanTheLimitAreRefused() {
        let data = Data(repeating: 0x20, count: CatalogueLimits.fileBytes + 1)
        let error = #expect(throws: TillError.self) { try StoreKitConfiguration(data: data, fileName: "Test.storekit") }
        #expect(error?.message == "Test.storekit: the file is larger than 16 MiB.")
        #expect(error?.code == .invalidArgument)
    }

    @Test
    func errorsBeyondTheLimitAreCountedButNotListed() {
        let text = Document.file(["products": "[" + String(repeating: "0,", count: 4999) + "0]"])
        let (configuration, findings) = ConfigurationReader.read(Array(text.utf8), fileName: "Test.storekit")
        #expect(configuration == nil)
        #expect(findings.errorCount == 5000)
        #expect(findings.diagnostics.count { $0.severity == .error } == CatalogueLimits.diagnostics + 1)
        #expect(findings.diagnostics.contains { $0.message == "4000 more of these are not listed" })
    }
}
