import FoundationEssentials
import Testing
@testable import TillEngine
import TillModel
import TillTesting

/// The price of a purchase of an auto-renewable subscription, and its effect on the group.
@Suite struct SubscriptionPurchaseTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var buying: String
        /// Nil for never subscribed.
        var subscribed: String?
        /// Days after the start of the present period.
        var day: Double = 10
        /// Whether an introductory offer of the group was used before.
        var hasUsedOffer = true
        var discount: String?
        var fault: PaymentError?
        var expected: String

        var testDescription: String {
            "\(buying) with \(discount ?? "no discount") on day \(day) of \(subscribed ?? "nothing")\(hasUsedOffer ? "" : ", no offer used")"
        }
    }

    static let rows = [
        Row(buying: "silver", expected: "0 introductory freeTrial"),
        Row(buying: "gold", expected: "99 introductory payAsYouGo"),
        Row(buying: "bronze", expected: "1999"),
        Row(buying: "silver", subscribed: "silver", expected: "owned"),
        Row(buying: "silver", subscribed: "silver", discount: "winter", expected: "owned"),
        Row(buying: "gold", subscribed: "silver", expected: "999"),
        Row(buying: "silver.plus", subscribed: "silver", expected: "599"),
        Row(buying: "silver.yearly", subscribed: "silver", expected: "owned"),
        Row(buying: "bronze", subscribed: "silver", expected: "owned"),
        Row(buying: "silver", subscribed: "gold", expected: "owned"),
        Row(buying: "silver", subscribed: "bronze", expected: "499"),
        Row(buying: "silver", subscribed: "bronze", discount: "winter", expected: "999 winter payUpFront"),
        // The period is over.
        Row(buying: "silver", subscribed: "silver", day: 31, expected: "499"),
        Row(buying: "silver", subscribed: "silver", day: 30.999, expected: "owned"),
        Row(
            buying: "silver",
            subscribed: "bronze",
            day: 400,
            hasUsedOffer: false,
            expected: "0 introductory freeTrial"
        ),
        Row(buying: "silver", subscribed: "bronze", hasUsedOffer: false, expected: "499"),
        Row(buying: "bronze", subscribed: "silver", day: 31, expected: "1999"),
        Row(buying: "silver", subscribed: "gold", day: 40, discount: "spring", expected: "199 spring payAsYouGo"),
        Row(buying: "gold", subscribed: "silver", day: 40, expected: "999"),
        // Invalid discounts.
        Row(buying: "silver", discount: "winter", expected: "ineligibleForOffer"),
        Row(buying: "silver", subscribed: "gold", discount: "summer", expected: "invalidOfferIdentifier"),
        Row(buying: "gold", subscribed: "silver", discount: "winter", expected: "invalidOfferIdentifier"),
        Row(
            buying: "silver",
            subscribed: "silver",
            discount: "winter",
            fault: PaymentError(.invalidSignature, "Wrong."),
            expected: "invalidSignature"
        ),
        Row(
            buying: "silver",
            subscribed: "silver",
            fault: PaymentError(.invalidSignature, "Not looked at."),
            expected: "owned"
        ),
    ]

    @Test(arguments: rows)
    func aPurchaseCostsWhatTheGroupsStandingSays(row: Row) throws {
        let product = try #require(SubscriptionSamples.product(row.buying))
        var facts = PurchasePlan.Facts(product: product, now: SubscriptionSamples.start + row.day * 86400)
        facts.subscribedProduct = row.subscribed.flatMap { SubscriptionSamples.product($0) }
        facts.subscription = row.subscribed.map { id in
            SubscriptionSamples.record { record in
                record.productID = id
                record.renewalProductID = id
                record.hasUsedIntroductoryOffer = row.hasUsedOffer
            }
        }
        facts.discountFault = row.fault
        let discount = row.discount.map(SubscriptionSamples.discount)
        let payment = Payment(productID: row.buying, discount: discount)
        #expect(Self.summary(PurchasePlan.make(payment, facts)) == row.expected)
    }

    @Test
    func aSubscriptionIsBoughtOnceAtATime() throws {
        let product = try #require(SubscriptionSamples.product("silver"))
        let facts = PurchasePlan.Facts(product: product, now: SubscriptionSamples.start)
        let plan = PurchasePlan.make(Payment(productID: "silver", quantity: 2), facts)
        #expect(Self.summary(plan) == "paymentInvalid")
    }

    @Test(arguments: [("silver", "invalidOfferPrice"), ("silver.plus", "paymentInvalid")])
    func aPriceThatCannotBeChargedIsRefused(id: String, expected: String) throws {
        var product = try #require(SubscriptionSamples.product(id))
        if id == "silver" {
            product.subscription?.offers = [
                SubscriptionOffer(
                    id: "winter",
                    type: .promotional,
                    paymentMode: .payUpFront,
                    price: Price(amount: Decimal(sign: .plus, exponent: -3, significand: 999), currency: "USD"),
                    period: SubscriptionPeriod(unit: .month, value: 1),
                    periodCount: 1
                )
            ]
        } else {
            product.price.amount = Decimal(sign: .plus, exponent: -3, significand: 999)
        }
        var facts = PurchasePlan.Facts(product: product, now: SubscriptionSamples.start + 40 * 86400)
        facts.subscription = SubscriptionSamples.record()
        let discount = id == "silver" ? SubscriptionSamples.discount("winter") : nil
        #expect(Self.summary(PurchasePlan.make(Payment(productID: id, discount: discount), facts)) == expected)
    }

    @Test
    func aDiscountInAnotherCurrencyThanTheRenewalsIsRefused() throws {
        var product = try #require(SubscriptionSamples.product("silver"))
        product.price.currency = "EUR"
        var facts = PurchasePlan.Facts(product: product, now: SubscriptionSamples.start)
        facts.subscription = SubscriptionSamples.record()
        facts.subscribedProduct = product
        let discount = SubscriptionSamples.discount("winter")
        #expect(Self.summary(PurchasePlan.make(Payment(productID: "silver"), facts)) == "owned")
        let plan = PurchasePlan.make(Payment(productID: "silver", discount: discount), facts)
        #expect(Self.summary(plan) == "invalidOfferPrice")
    }

    @Test
    func aProductThatTheStoreHasNoMoreGivesWayAtOnce() throws {
        let bronze = try #require(SubscriptionSamples.product("bronze"))
        let change = SubscriptionChange(
            buying: bronze,
            existing: SubscriptionSamples.record(),
            subscribed: nil,
            now: SubscriptionSamples.start
        )
        #expect(change == .replace)
    }

    @Test
    func duringGraceTheSubscriptionIsOwnedAndInRetryItIsNot() throws {
        let silver = try #require(SubscriptionSamples.product("silver"))
        let date = SubscriptionSamples.start + 35 * 86400
        let changes = [true, false].map { hasGrace in
            SubscriptionChange(
                buying: silver,
                existing: SubscriptionSamples.unpaid(hasGrace: hasGrace),
                subscribed: silver,
                now: date
            )
        }
        #expect(changes == [.keep, .begin])
    }

    private static func summary(_ plan: PurchasePlan) -> String {
        switch plan {
        case .refused(let error): "\(error.code)"
        case .owned(let original): original.key == 3 ? "owned" : "owned by \(original.key)"
        case .due(let price):
            [
                "\(price.amount)", price.offer.map { $0.id ?? "introductory" },
                price.offer.map { "\($0.paymentMode)" },
            ].compactMap(\.self).joined(separator: " ") + (price.exclusiveGroup == "group:news" ? "" : " not exclusive")
        }
    }
}
