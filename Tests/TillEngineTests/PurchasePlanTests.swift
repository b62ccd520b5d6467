import FoundationEssentials
import Testing
@testable import TillEngine
import TillModel
import TillTesting

/// Whether a payment is possible, and its price, before a person is asked.
@Suite struct PurchasePlanTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var product = "coins"
        var quantity = 1
        var requestData: [UInt8]?
        var discount: String?
        var mayPay = true
        var isOwned = false
        var settings: [StoreSettings.Key: String] = [:]
        var expected: String

        init(_ name: String, _ product: String = "coins", expected: String, _ change: (inout Row) -> Void = { _ in }) {
            testDescription = name
            self.product = product
            self.expected = expected
            change(&self)
        }
    }

    static let rows = [
        Row("a consumable", expected: "99 USD"),
        Row("the quantity counts", expected: "297 USD") { $0.quantity = 3 },
        Row("the largest quantity", expected: "990 USD") { $0.quantity = 10 },
        Row("a non-consumable, one at a time", "pro", expected: "499 USD, one pro at a time"),
        Row("a non-renewing subscription", "season", expected: "999 USD"),
        Row("more than one of what is bought once", "pro", expected: "paymentInvalid invalidPayment") {
            $0.quantity = 2
        },
        Row("what costs nothing", "gift", expected: "0 USD, one gift at a time"),
        Row("what is owned", "pro", expected: "owned") { $0.isOwned = true },
        Row("an unknown product", "nothing", expected: "storeProductNotAvailable productUnavailable"),
        Row("a price in fractions of a cent", "odd", expected: "paymentInvalid invalidPayment"),
        Row("who may not pay", expected: "paymentNotAllowed notAllowed") { $0.mayPay = false },
        Row("who may not pay, of what is owned", "pro", expected: "paymentNotAllowed notAllowed") { row in
            row.mayPay = false
            row.isOwned = true
        },
        Row("requestData", expected: "unauthorizedRequestData invalidPayment") { $0.requestData = [] },
        Row("a discount on what has no offers", expected: "invalidOfferIdentifier invalidOffer") { $0.discount = "x" },
        Row("told to fail", expected: "unknown simulated") { $0.settings = [.failTransactions: "true"] },
        Row("told to fail with a code", expected: "invalidSignature simulated") { row in
            row.settings = [.failTransactions: "true", .transactionError: "12"]
        },
        Row("an error without being told to fail", expected: "99 USD") { $0.settings = [.transactionError: "12"] },
    ]

    @Test(arguments: rows) func planOfAPayment(row: Row) throws {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        var facts = PurchasePlan.Facts(
            product: TestCatalogue().product(row.product, locale: nil, storefront: "USA"),
            canMakePayments: row.mayPay,
            now: now
        )
        for (key, value) in row.settings {
            try facts.settings.set(key, to: value)
        }
        var payment = Payment(productID: row.product, quantity: row.quantity, requestData: row.requestData)
        payment.discount = row.discount.map {
            PaymentDiscount(identifier: $0, keyIdentifier: "key", nonce: UUID(), signature: "", timestamp: now)
        }
        if row.isOwned {
            facts.entitlement = TransactionRecord(
                key: 7,
                queue: 1,
                id: UUID(),
                payment: payment,
                state: .purchased,
                revision: 1,
                createdAt: now,
                isEntitlement: true
            )
        }
        #expect(Self.summary(PurchasePlan.make(payment, facts)) == row.expected)
    }

    private static func summary(_ plan: PurchasePlan) -> String {
        switch plan {
        case .refused(let error):
            "\(error.code) \(error.reason)"
        case .owned:
            "owned"
        case .due(let price):
            "\(price.amount) \(price.currency)" + (price.exclusiveGroup.map { ", one \($0) at a time" } ?? "")
        }
    }
}
