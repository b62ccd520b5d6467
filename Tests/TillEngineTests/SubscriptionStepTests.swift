import FoundationEssentials
import Testing
@testable import TillEngine
import TillModel
import TillTesting

/// The due steps of a subscription, and their dates.
@Suite struct SubscriptionStepTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var name: String
        var record: SubscriptionRecord
        var settings: [StoreSettings.Key: String] = [:]
        var isSold = true
        /// Days after the start of the period; long after everything unless a row says otherwise.
        var day: Double = 400
        var expected: String

        var testDescription: String { name }
    }

    private static let record = SubscriptionSamples.record
    private static let unpaid = SubscriptionSamples.unpaid

    static let rows = [
        Row(name: "before the end", record: record { _ in }, day: 30.9, expected: "none"),
        Row(name: "at the end", record: record { _ in }, day: 31, expected: "renew 499 as of 31"),
        Row(name: "long after the end", record: record { _ in }, expected: "renew 499 as of 31"),
        Row(name: "a charge under way", record: record { $0.dueAt = nil }, expected: "none"),
        Row(name: "cancelled", record: record { $0.willRenew = false }, expected: "expired autoRenewDisabled"),
        Row(name: "not sold any more", record: record { _ in }, isSold: false, expected: "expired productUnavailable"),
        Row(
            name: "nobody agreed to the price",
            record: record { try? $0.announce(599, listed: nil) },
            expected: "expired didNotConsentToPriceIncrease"
        ),
        Row(
            name: "the price was declined",
            record: record { record in
                try? record.announce(599, listed: nil)
                try? record.answerPrice(agrees: false)
            },
            expected: "expired didNotConsentToPriceIncrease"
        ),
        Row(
            name: "the price was agreed to",
            record: record { record in
                try? record.announce(599, listed: nil)
                try? record.answerPrice(agrees: true)
            },
            expected: "renew 599 as of 31"
        ),
        Row(
            name: "an offer comes before the price that nobody agreed to",
            record: record { record in
                try? record.announce(599, listed: nil)
                record.offer = OfferRecord(
                    offer: AppliedOffer(type: .promotional, id: "spring", paymentMode: .payAsYouGo),
                    amount: 199,
                    remaining: 1
                )
            },
            expected: "renew 199 as of 31"
        ),
        Row(
            name: "a downgrade",
            record: record { $0.renewalProductID = "bronze" },
            expected: "renew 1999 as of 31"
        ),
        Row(
            name: "renewals fail, no grace",
            record: record { _ in },
            settings: [.billingRetry: "true"],
            expected: "inBillingRetryPeriod due 37.667"
        ),
        Row(
            name: "renewals fail, with grace",
            record: record { _ in },
            settings: [.billingRetry: "true", .gracePeriod: "true"],
            expected: "inGracePeriod due 37.667"
        ),
        Row(name: "a retry", record: unpaid(false) { _ in }, expected: "renew 499 as of 37.667"),
        Row(
            name: "a retry fails",
            record: unpaid(false) { _ in },
            settings: [.billingRetry: "true"],
            expected: "inBillingRetryPeriod due 44.333"
        ),
        Row(
            name: "grace ends",
            record: unpaid(true) { record in
                record.attempts = 3
                record.scheduleRetry()
            },
            expected: "inBillingRetryPeriod due 51"
        ),
        Row(
            name: "the last retry was made",
            record: unpaid(false) { record in
                record.attempts = 9
                record.scheduleRetry()
            },
            expected: "expired billingError"
        ),
        Row(
            name: "under review nothing is tried",
            record: unpaid(false) { record in
                record.attempts = BillingHold.review.rawValue
                record.dueAt = record.periodEnd
            },
            expected: "inBillingRetryPeriod due 91"
        ),
        Row(
            name: "another payment method is needed, in grace",
            record: unpaid(true) { record in
                record.attempts = BillingHold.paymentMethod.rawValue
                record.dueAt = record.periodEnd
            },
            expected: "inGracePeriod due 47"
        ),
        Row(
            name: "another payment method is needed at the end of the retries",
            record: unpaid(false) { record in
                record.attempts = BillingHold.paymentMethod.rawValue
                record.scheduleRetry()
            },
            expected: "expired billingError"
        ),
        Row(
            name: "cancelled in retry",
            record: unpaid(false) { try? $0.setAutoRenew(false, at: $0.periodEnd) },
            expected: "expired autoRenewDisabled"
        ),
        Row(
            name: "cancelled in grace, which continues",
            record: unpaid(true) { $0.willRenew = false },
            expected: "inGracePeriod due 47"
        ),
        Row(
            name: "grace ends after it was cancelled",
            record: unpaid(true) { record in
                record.willRenew = false
                record.scheduleRetry()
            },
            expected: "inBillingRetryPeriod due 31"
        ),
        Row(
            name: "not sold any more in retry",
            record: unpaid(false) { _ in },
            isSold: false,
            expected: "expired productUnavailable"
        ),
        Row(
            name: "an ended one is due for nothing",
            record: record { record in
                record.revoke()
                record.dueAt = record.periodEnd
            },
            expected: "revoked"
        ),
    ]

    @Test(arguments: rows)
    func theNextStepIs(row: Row) throws {
        var settings = StoreSettings()
        for (key, value) in row.settings {
            try settings.set(key, to: value)
        }
        let product = row.isSold ? SubscriptionSamples.product(row.record.renewalProductID) : nil
        let facts = SubscriptionStep.Facts(product: product, settings: settings)
        let step = SubscriptionStep.next(row.record, facts, now: SubscriptionSamples.start + row.day * 86400)
        #expect(Self.summary(step) == row.expected)
    }

    @Test
    func everythingThatIsDueComesToAnEnd() throws {
        var settings = StoreSettings()
        settings.failsRenewals = true
        settings.hasGracePeriod = true
        let facts = SubscriptionStep.Facts(product: SubscriptionSamples.product("silver"), settings: settings)
        var record = SubscriptionSamples.record()
        var states = [record.state]
        var dates: [Double] = []
        while case .change(let next) = SubscriptionStep.next(record, facts, now: .distantFuture) {
            dates.append(try #require(SubscriptionSamples.days(record.dueAt)))
            record = next
            states.append(record.state)
        }
        let expected: [SubscriptionState] =
            [.subscribed] + Array(repeating: .inGracePeriod, count: 3)
            + Array(repeating: .inBillingRetryPeriod, count: 7) + [.expired]
        #expect(states == expected)
        #expect(dates == dates.sorted())
        // The end, eight attempts and the end of grace between them, the end of the retries.
        #expect(dates.first == 31 && dates.count == 11 && dates.last == 91)
        #expect(record.expirationReason == .billingError)
        #expect(!record.willRenew)
    }

    @Test
    func aDeclineAfterItWasCancelledIsTheEnd() {
        var record = SubscriptionSamples.record { $0.willRenew = false }
        let month = SubscriptionPeriod(unit: .month, value: 1)
        record.failBilling(month, StoreSettings(), at: record.periodEnd)
        let facts = SubscriptionStep.Facts(product: SubscriptionSamples.product("silver"))
        let step = SubscriptionStep.next(record, facts, now: record.periodEnd)
        #expect(Self.summary(step) == "expired autoRenewDisabled")
    }

    @Test
    func aReviewThatFoundNoChargeResumesTheAttempts() {
        var record = SubscriptionSamples.unpaid()
        let month = SubscriptionPeriod(unit: .month, value: 1)
        record.failBilling(month, StoreSettings(), hold: .review, at: record.periodEnd)
        #expect(SubscriptionSamples.days(record.dueAt) == 91)
        record.failBilling(month, StoreSettings(), at: record.periodEnd + 14 * 86400)
        #expect(record.attempts == 3)
        #expect(SubscriptionSamples.days(record.dueAt) == 51)
    }

    private static func summary(_ step: SubscriptionStep) -> String {
        switch step {
        case .none: return "none"
        case .renew(let price, let date): return "renew \(price.amount) as of \(text(date))"
        case .change(let record):
            return [
                "\(record.state)", record.expirationReason.map { "\($0)" }, record.dueAt.map { "due \(text($0))" },
            ].compactMap(\.self).joined(separator: " ")
        }
    }

    private static func text(_ date: Date) -> String {
        let days = ((SubscriptionSamples.days(date) ?? 0) * 1000).rounded() / 1000
        return days == days.rounded() ? "\(Int(days))" : "\(days)"
    }
}
