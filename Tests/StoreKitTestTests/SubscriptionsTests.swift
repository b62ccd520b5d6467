import Foundation
import StoreKitTest
import Testing

@Suite(.timeLimit(.minutes(10))) struct SubscriptionsTests {
    @Test func advancingTheClockRenewsSubscriptions() throws {
        let session = try Store.session()
        let first = try session.bought(Store.monthly)
        let start = session.now
        try session.advanceClock(by: 62 * Store.day)
        #expect(session.now.timeIntervalSince(start) >= 62 * Store.day)
        let all = session.allTransactions()
        #expect(all.count == 3)
        #expect(all.allSatisfy { $0.originalTransactionIdentifier == first.identifier && $0.autoRenewingEnabled })
        // Each period starts at the end of the previous one.
        #expect(all.dropFirst().map(\.purchaseDate) == all.dropLast().map(\.expirationDate))
    }

    @Test func aRateShortensPeriods() throws {
        let session = try Store.session()
        session.timeRate = .monthlyRenewalEveryThirtySeconds
        try session.buyProduct(productIdentifier: Store.monthly)
        try session.advanceClock(by: 61)
        #expect(session.allTransactions().count == 3)
    }

    @Test func aForcedRenewalStartsImmediately() throws {
        let session = try Store.session()
        let first = try session.bought(Store.monthly)
        try session.forceRenewalOfSubscription(productIdentifier: Store.monthly)
        let all = session.allTransactions()
        #expect(all.count == 2 && all.first?.identifier == first.identifier)
        #expect(all.first?.expirationDate == all.last?.purchaseDate)
    }

    @Test func anExpiredSubscriptionDoesNotRenew() throws {
        let session = try Store.session()
        try session.buyProduct(productIdentifier: Store.monthly)
        try session.expireSubscription(productIdentifier: Store.monthly)
        let expired = try session.last()
        #expect(!expired.autoRenewingEnabled)
        #expect(try #require(expired.expirationDate) <= session.now)
        try session.advanceClock(by: 400 * Store.day)
        #expect(session.allTransactions().count == 1)
        expect(.invalidAction) { try session.expireSubscription(productIdentifier: Store.monthly) }
    }

    @Test func renewalIsSwitchedOffAndOn() throws {
        let session = try Store.session()
        let first = try session.bought(Store.monthly)
        try session.disableAutoRenewForTransaction(identifier: first.identifier)
        #expect(try session.last().autoRenewingEnabled == false)
        try session.enableAutoRenewForTransaction(identifier: first.identifier)
        #expect(try session.last().autoRenewingEnabled)
        try session.disableAutoRenewForTransaction(identifier: first.identifier)
        try session.advanceClock(by: 40 * Store.day)
        #expect(session.allTransactions().count == 1)
    }

    @Test(arguments: [true, false]) func anUnpaidRenewalIsResolved(hasGracePeriod: Bool) throws {
        let session = try Store.session()
        session.shouldEnterBillingRetryOnRenewal = true
        session.billingGracePeriodIsEnabled = hasGracePeriod
        let first = try session.bought(Store.monthly)
        try session.advanceClock(by: 32 * Store.day)
        #expect(try session.last().hasPurchaseIssue)
        #expect(session.allTransactions().count == 1)
        try session.resolveIssueForTransaction(identifier: first.identifier)
        #expect(session.allTransactions().count == 2)
        #expect(session.allTransactions().allSatisfy { !$0.hasPurchaseIssue })
    }

    @Test(arguments: [true, false]) func aHigherPriceNeedsConsent(agrees: Bool) throws {
        let session = try Store.session()
        let first = try session.bought(Store.monthly)
        expect(.invalidAction) { try session.consentToPriceIncreaseForTransaction(identifier: first.identifier) }
        try session.requestPriceIncreaseConsentForTransaction(identifier: first.identifier)
        #expect(try session.last().isPendingPriceIncreaseConsent)
        if agrees {
            try session.consentToPriceIncreaseForTransaction(identifier: first.identifier)
        } else {
            try session.declinePriceIncreaseForTransaction(identifier: first.identifier)
        }
        #expect(try session.last().isPendingPriceIncreaseConsent == false)
        try session.advanceClock(by: 32 * Store.day)
        #expect(session.allTransactions().count == (agrees ? 2 : 1))
    }

    @Test func aProductThatDoesNotRenewIsNotASubscription() throws {
        let session = try Store.session()
        let coins = try session.bought(Store.coins)
        expect(.noSubscriptionFound) { try session.expireSubscription(productIdentifier: Store.yearly) }
        expect(.noSubscriptionFound) { try session.forceRenewalOfSubscription(productIdentifier: Store.yearly) }
        expect(.invalidProductType) { try session.expireSubscription(productIdentifier: Store.coins) }
        expect(.invalidProductIdentifier) { try session.expireSubscription(productIdentifier: "nothing") }
        expect(.invalidProductType) { try session.disableAutoRenewForTransaction(identifier: coins.identifier) }
        expect(.noTransactionFound) { try session.enableAutoRenewForTransaction(identifier: 99) }
    }

    @Test(arguments: [0, -1, .nan, .infinity, 21 * 366 * Store.day]) func theClockCannotBeAdvancedBeyondTheLimits(
        interval: TimeInterval
    ) throws {
        let session = try Store.session()
        expect(.invalidAction) { try session.advanceClock(by: interval) }
    }
}
