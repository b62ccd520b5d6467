import FoundationEssentials
import Testing
@testable import TillEngine
import TillModel
import TillTesting

/// What purchases and paid renewals make of a subscription.
@Suite struct SubscriptionRenewalTests {
    private static let start = SubscriptionSamples.start
    private static let spring = AppliedOffer(type: .promotional, id: "spring", paymentMode: .payAsYouGo)

    private static func transaction(_ id: String, _ offer: AppliedOffer? = nil, isEntitlement: Bool = true)
        -> TransactionRecord
    {
        TransactionRecord(
            key: 9,
            queue: 1,
            id: UUID(),
            payment: Payment(productID: id),
            state: .purchased,
            revision: 1,
            createdAt: start,
            isEntitlement: isEntitlement,
            offer: offer
        )
    }

    private static func grant(
        _ transaction: TransactionRecord,
        existing: SubscriptionRecord?,
        now: Date = start
    ) throws -> SubscriptionGrant {
        let product = try #require(SubscriptionSamples.product(transaction.payment.productID))
        let facts = SubscriptionGrant.Facts(
            product: product,
            groupID: "news",
            existing: existing,
            rate: .realTime,
            now: now
        )
        return try #require(SubscriptionGrant.make(transaction, facts))
    }

    @Test
    func aTrialIsFollowedByTheFullPrice() throws {
        let offer = AppliedOffer(type: .introductory, id: nil, paymentMode: .freeTrial)
        let grant = try Self.grant(Self.transaction("silver", offer), existing: nil)
        #expect(SubscriptionSamples.days(grant.record.periodEnd) == 7)
        #expect(grant.record.offer == nil)
        #expect(grant.record.hasUsedIntroductoryOffer)
        #expect(grant.record.renewalAmount == 499)
        #expect(grant.record.latestKey == 9 && grant.record.original.key == 9)
        #expect(grant.record.dueAt == grant.record.periodEnd)
        #expect(!grant.endsPeriodEarly)
    }

    @Test
    func anOfferPaidAsYouGoCountsDown() throws {
        let offer = AppliedOffer(type: .introductory, id: nil, paymentMode: .payAsYouGo)
        var record = try Self.grant(Self.transaction("gold", offer), existing: nil).record
        var amounts: [Int64] = []
        for _ in 0..<4 {
            let price = try #require(RenewalPrice(record, product: SubscriptionSamples.product("gold")))
            amounts.append(price.amount)
            record = Self.renewed(record, price.amount, price.offer?.offer)
        }
        // The first of the three was bought.
        #expect(amounts == [99, 99, 999, 999])
        #expect(record.renewalAmount == 999)
    }

    @Test
    func buyingAgainTurnsRenewalOnAndTakesADowngradeBack() throws {
        let existing = SubscriptionSamples.record { record in
            record.willRenew = false
            record.renewalProductID = "bronze"
        }
        let grant = try Self.grant(Self.transaction("silver", isEntitlement: false), existing: existing)
        #expect(grant.record == SubscriptionSamples.record())
        #expect(grant.period == nil)
    }

    @Test
    func aDowngradeComesWithTheNextRenewal() throws {
        let existing = SubscriptionSamples.record { record in
            record.willRenew = false
            record.offer = OfferRecord(offer: Self.spring, amount: 199, remaining: 1)
        }
        let grant = try Self.grant(Self.transaction("bronze", isEntitlement: false), existing: existing)
        #expect(grant.record == SubscriptionSamples.record { $0.renewalProductID = "bronze" })
        let renewed = Self.renewed(grant.record, 1999)
        #expect(renewed.productID == "bronze" && renewed.renewalProductID == "bronze")
        #expect(renewed.renewalAmount == 1999)
        #expect(SubscriptionSamples.days(renewed.periodEnd) == 396)
    }

    @Test
    func aDiscountOnAnOwnedSubscriptionIsForTheNextRenewals() throws {
        var transaction = Self.transaction("silver", isEntitlement: false)
        transaction.payment.discount = SubscriptionSamples.discount("winter")
        var record = try Self.grant(transaction, existing: SubscriptionSamples.record()).record
        let price = try #require(RenewalPrice(record, product: SubscriptionSamples.product("silver")))
        #expect(price.amount == 999 && price.fullAmount == 499)
        record = Self.renewed(record, price.amount, price.offer?.offer)
        #expect(SubscriptionSamples.days(record.periodEnd) == 120)
        #expect(record.offer == nil && record.renewalAmount == 499)
    }

    @Test
    func anUpgradeEndsThePeriodAndKeepsTheOriginal() throws {
        let now = Self.start + 10 * 86400
        let grant = try Self.grant(Self.transaction("gold"), existing: SubscriptionSamples.record(), now: now)
        #expect(grant.endsPeriodEarly)
        #expect(grant.record.original.key == 3 && grant.record.key == 7)
        #expect(grant.record.periodStart == now)
        #expect(SubscriptionSamples.days(grant.record.periodEnd) == 41)
        #expect(grant.record.renewalAmount == 999)
    }

    @Test(arguments: [
        (499, 0.0, 499), (499, 15.5, 249), (499, 31, 0), (499, 40, 0), (499, -1, 499), (0, 10, 0),
        (Price.chargeMaximum, 1, 967_741_935_483),
    ])
    func theRestOfAPeriodIsRefundedProRata(paid: Int64, day: Double, expected: Int64) {
        let term = TermRecord(
            subscription: 7,
            groupID: "news",
            start: Self.start,
            end: Self.start + 31 * 86400
        )
        #expect(SubscriptionGrant.unused(of: paid, term, at: Self.start + day * 86400) == expected)
    }

    @Test(
        arguments: [
            ("3.99", nil, 399), ("5.99", nil, 499), ("5.99", 599, 599), ("5.49", 599, 599),
            ("4.999", nil, 499),
        ] as [(String, Int64?, Int64)]
    )
    func existingSubscribersKeepTheirPrice(listed: String, agreed: Int64?, expected: Int64) throws {
        let catalogue = TestCatalogue()
        catalogue.setPrice(listed, of: "silver")
        let record = SubscriptionSamples.record().changed { record in
            record.announcedAmount = agreed
            record.priceConsent = agreed == nil ? .none : .agreed
        }
        let price = try #require(RenewalPrice(record, product: SubscriptionSamples.product("silver", catalogue)))
        #expect(price.amount == expected)
        let renewed = Self.renewed(record, price.amount, price.offer?.offer)
        #expect(renewed.renewalAmount == expected)
        #expect(renewed.priceConsent == .none)
        // The catalogue undercuts no price that was agreed to.
        let next = try #require(RenewalPrice(renewed, product: SubscriptionSamples.product("silver", catalogue)))
        #expect(next.amount == expected)
    }

    @Test
    func aPriceThatIsAgreedToWhileARenewalIsPaidIsThatOfTheNext() throws {
        let record = SubscriptionSamples.record().changed { record in
            record.announcedAmount = 599
            record.priceConsent = .agreed
        }
        let renewed = Self.renewed(record, 499)
        #expect(renewed.priceConsent == .agreed)
        let next = try #require(RenewalPrice(renewed, product: SubscriptionSamples.product("silver")))
        #expect(next.amount == 599)
    }

    @Test
    func anotherCurrencyChangesNoPriceOfExistingSubscribers() throws {
        var product = try #require(SubscriptionSamples.product("silver"))
        product.price = Price(amount: 1, currency: "EUR")
        let price = try #require(RenewalPrice(SubscriptionSamples.record(), product: product))
        #expect(price.amount == 499 && price.currency == "USD")
    }

    @Test
    func anOfferInAnotherCurrencyPricesNoRenewal() throws {
        var product = try #require(SubscriptionSamples.product("silver"))
        product.price.currency = "JPY"
        let offers = (product.subscription?.offers ?? []).map { offer in
            var offer = offer
            offer.price = Price(amount: 300, currency: "JPY")
            return offer
        }
        product.subscription?.offers = offers
        var transaction = Self.transaction("silver", isEntitlement: false)
        transaction.payment.discount = SubscriptionSamples.discount("spring")
        let facts = SubscriptionGrant.Facts(
            product: product,
            groupID: "news",
            existing: SubscriptionSamples.record(),
            rate: .realTime,
            now: Self.start
        )
        let grant = try #require(SubscriptionGrant.make(transaction, facts))
        let price = try #require(RenewalPrice(grant.record, product: product))
        #expect(price.amount == 499 && price.currency == "USD")
    }

    @Test
    func anOfferStaysBehindWhenARenewalIsPaidInAnotherCurrency() throws {
        var bronze = try #require(SubscriptionSamples.product("bronze"))
        bronze.price = Price(amount: 2000, currency: "JPY")
        let record = SubscriptionSamples.record { record in
            record.renewalProductID = "bronze"
            record.offer = OfferRecord(offer: Self.spring, amount: 199, remaining: 2)
        }
        let price = try #require(RenewalPrice(record, product: bronze))
        #expect(price.amount == 2000 && price.currency == "JPY")
        let payment = SubscriptionRenewal.Payment(
            productID: "bronze",
            amount: price.amount,
            currency: price.currency,
            date: record.periodEnd
        )
        let facts = SubscriptionRenewal.Facts(product: bronze, rate: .realTime, anchor: record.periodEnd)
        let renewed = SubscriptionRenewal.make(record, payment, facts).record
        #expect(renewed.offer == nil && renewed.currency == "JPY")
    }

    @Test(
        arguments: [(nil, nil, 499, nil, true), (spring, 499, 499, 199, true), (spring, nil, 199, 199, false)]
            as [(AppliedOffer?, Int64?, Int64, Int64?, Bool)]
    )
    func theAgreedPriceStaysThoughTheStorefrontChanged(
        offer: AppliedOffer?,
        agreed: Int64?,
        full: Int64,
        next: Int64?,
        willRenew: Bool
    ) throws {
        // By now the store asks for 4 yen, with the offer as well; cents were paid.
        var product = try #require(SubscriptionSamples.product("silver"))
        product.price = Price(amount: 4, currency: "JPY")
        let offers = (product.subscription?.offers ?? []).map { offer in
            var offer = offer
            offer.price = Price(amount: 4, currency: "JPY")
            return offer
        }
        product.subscription?.offers = offers
        let facts = SubscriptionGrant.Facts(
            product: product,
            groupID: "news",
            existing: nil,
            paid: ReceiptFacts.Paid(amount: next ?? full, currency: "USD"),
            agreedAfterOffer: agreed.map { ReceiptFacts.Paid(amount: $0, currency: "USD") },
            rate: .realTime,
            now: Self.start
        )
        let record = try #require(SubscriptionGrant.make(Self.transaction("silver", offer), facts)).record
        #expect(record.renewalAmount == full && record.currency == "USD")
        #expect(record.offer?.amount == next)
        #expect(record.willRenew == willRenew)
    }

    @Test(arguments: [true, false])
    func aRenewalPaidWithAnOfferIsAsLongAsThatOffer(isLate: Bool) {
        let winter = AppliedOffer(type: .promotional, id: "winter", paymentMode: .payUpFront)
        let other = OfferRecord(offer: Self.spring, amount: 199, remaining: 2)
        let record = SubscriptionSamples.record { $0.offer = other }
        let payment = SubscriptionRenewal.Payment(
            productID: "silver",
            amount: 999,
            currency: "USD",
            offer: winter,
            date: record.periodEnd
        )
        let facts = SubscriptionRenewal.Facts(
            product: SubscriptionSamples.product("silver"),
            rate: .realTime,
            isLate: isLate,
            anchor: record.periodEnd
        )
        let renewal = SubscriptionRenewal.make(record, payment, facts)
        #expect(renewal.offer == winter)
        #expect(SubscriptionSamples.days(renewal.period.end) == 120)
        #expect(renewal.record.renewalAmount == 499 && renewal.record.offer == other)
    }

    @Test
    func keepingTheProductRemovesTheOtherProductsPrice() throws {
        let silver = try #require(SubscriptionSamples.product("silver"))
        let record = SubscriptionSamples.record { record in
            record.renewalProductID = "bronze"
            record.offer = OfferRecord(offer: Self.spring, amount: 99, remaining: 2)
            record.priceConsent = .agreed
            record.announcedAmount = 299
        }
        let facts = SubscriptionGrant.Facts(
            product: silver,
            groupID: "news",
            existing: record,
            rate: .realTime,
            now: Self.start
        )
        let grant = try #require(SubscriptionGrant.make(Self.transaction("silver", isEntitlement: false), facts))
        let price = try #require(RenewalPrice(grant.record, product: silver))
        #expect(price.amount == 499 && price.offer == nil)
        #expect(grant.record.priceConsent == .none)
    }

    @Test
    func aSubscriptionWithoutAPriceAfterItsOfferDoesNotRenew() throws {
        var product = try #require(SubscriptionSamples.product("silver"))
        product.price.amount = Decimal(sign: .plus, exponent: -3, significand: 4999)
        let facts = SubscriptionGrant.Facts(
            product: product,
            groupID: "news",
            existing: nil,
            paid: ReceiptFacts.Paid(amount: 199, currency: "USD"),
            rate: .realTime,
            now: Self.start
        )
        let record = try #require(SubscriptionGrant.make(Self.transaction("silver", Self.spring), facts)).record
        #expect(!record.willRenew && record.renewalAmount > 0)
    }

    @Test(arguments: [(false, 40.0, 40.0), (true, 40, 31), (false, 20, 31)])
    func recoveryLeavesNoGapDuringGraceAndBeginsAtThePaymentAfterIt(hasGrace: Bool, day: Double, start: Double) {
        let record = SubscriptionSamples.unpaid(hasGrace: hasGrace)
        let date = Self.start + day * 86400
        #expect(SubscriptionSamples.days(SubscriptionRenewal.start(of: record, date)) == start)
    }

    @Test
    func aRenewalCountsAsOfItsAttemptUnlessItWasChargedEarlier() {
        let record = SubscriptionSamples.unpaid()
        let attempt = record.periodEnd + 60 * 86400 / 9
        let later = attempt + 86400
        let earlier = attempt - 86400
        let dates = [later, earlier].map { SubscriptionRenewal.date(of: record, chargedAt: $0, now: later) }
        #expect(dates == [attempt.roundedToMilliseconds, earlier])
        let expired = record.changed { $0.expire(.billingError) }
        #expect(SubscriptionRenewal.date(of: expired, chargedAt: earlier, now: later) == later)
    }

    @Test
    func aRenewalOfAProductThatIsGoneIsAsLongAsTheLastPeriod() {
        let payment = SubscriptionRenewal.Payment(productID: "silver", amount: 499, currency: "USD", date: Self.start)
        let record = SubscriptionSamples.record()
        let facts = SubscriptionRenewal.Facts(product: nil, rate: .realTime, anchor: record.periodEnd)
        let renewal = SubscriptionRenewal.make(record, payment, facts)
        #expect(SubscriptionSamples.days(renewal.period.start) == 31)
        #expect(SubscriptionSamples.days(renewal.period.end) == 62)
    }

    private static func renewed(
        _ record: SubscriptionRecord,
        _ amount: Int64,
        _ offer: AppliedOffer? = nil
    ) -> SubscriptionRecord {
        let payment = SubscriptionRenewal.Payment(
            productID: record.renewalProductID,
            amount: amount,
            currency: "USD",
            offer: offer,
            date: record.periodEnd
        )
        let facts = SubscriptionRenewal.Facts(
            product: SubscriptionSamples.product(record.renewalProductID),
            rate: .realTime,
            anchor: record.periodEnd
        )
        return SubscriptionRenewal.make(record, payment, facts).record
    }
}
