import Foundation
import TillEngine
import TillModel

extension SKTestSession {
    /// The page size when reading a queue's subscriptions.
    private static let subscriptionsPage = 256

    /// Ends a subscription and its renewal immediately
    /// (https://developer.apple.com/documentation/storekittest/sktestsession/expiresubscription(productidentifier:)).
    public func expireSubscription(productIdentifier: String) throws {
        let id = try subscription(productIdentifier)
        try server.performAndSettle { _ = try await $0.expireSubscription(id, by: SessionServer.identity) }
    }

    /// Ends a subscription's period and renews the subscription immediately, with auto-renewal on and no price increase
    /// pending
    /// (https://developer.apple.com/documentation/storekittest/sktestsession/forcerenewalofsubscription(productidentifier:)).
    public func forceRenewalOfSubscription(productIdentifier: String) throws {
        let id = try subscription(productIdentifier)
        try server.performAndSettle { _ = try await $0.renewSubscription(id, by: SessionServer.identity) }
    }

    /// Turns off auto-renewal: the subscription ends with its current period
    /// (https://developer.apple.com/documentation/storekittest/sktestsession/disableautorenewfortransaction(identifier:)).
    public func disableAutoRenewForTransaction(identifier: UInt) throws {
        try setAutoRenew(identifier, to: false)
    }

    /// Turns on auto-renewal
    /// (https://developer.apple.com/documentation/storekittest/sktestsession/enableautorenewfortransaction(identifier:)).
    public func enableAutoRenewForTransaction(identifier: UInt) throws {
        try setAutoRenew(identifier, to: true)
    }

    /// Asks the subscriber to agree to a price increase of 10 %, because the file does not specify one
    /// (https://developer.apple.com/documentation/storekittest/sktestsession/requestpriceincreaseconsentfortransaction(identifier:)).
    public func requestPriceIncreaseConsentForTransaction(identifier: UInt) throws {
        let transaction = try subscriptionTransaction(identifier)
        let price = try server.read { ledger in
            try transaction.term.flatMap { try ledger.subscription(key: $0.subscription) }.map { subscription in
                let increase = max(1, subscription.renewalAmount / 10)
                return Price(minorUnits: subscription.renewalAmount &+ increase, currency: subscription.currency)
            }
        }
        try server.performAndSettle {
            _ = try await $0.requestPriceConsent(transaction.id, amount: price?.amount, by: SessionServer.identity)
        }
    }

    /// Agrees to the price increase on the subscriber's behalf
    /// (https://developer.apple.com/documentation/storekittest/sktestsession/consenttopriceincreasefortransaction(identifier:)).
    public func consentToPriceIncreaseForTransaction(identifier: UInt) throws {
        try answerPriceIncrease(identifier, agrees: true)
    }

    /// Declines the price increase on the subscriber's behalf: the subscription ends with its current period
    /// (https://developer.apple.com/documentation/storekittest/sktestsession/declinepriceincreasefortransaction(identifier:)).
    public func declinePriceIncreaseForTransaction(identifier: UInt) throws {
        try answerPriceIncrease(identifier, agrees: false)
    }

    private func setAutoRenew(_ identifier: UInt, to isOn: Bool) throws {
        let id = try subscriptionTransaction(identifier).id
        try server.performAndSettle { _ = try await $0.setAutoRenew(id, to: isOn, by: SessionServer.identity) }
    }

    private func answerPriceIncrease(_ identifier: UInt, agrees: Bool) throws {
        let id = try subscriptionTransaction(identifier).id
        try server.performAndSettle {
            _ = try await $0.answerPriceConsent(id, agrees: agrees, by: SessionServer.identity)
        }
    }

    private func subscriptionTransaction(_ identifier: UInt) throws(SKTestError) -> TransactionRecord {
        let transaction = try transaction(identifier)
        guard transaction.productType == .autoRenewableSubscription else {
            throw SKTestError(
                .invalidProductType,
                "\(transaction.payment.productID) is not an auto-renewable subscription."
            )
        }
        return transaction
    }

    /// Returns the id of the latest transaction of the subscription to the product.
    private func subscription(_ productIdentifier: String) throws(SKTestError) -> UUID {
        try checkProduct(productIdentifier)
        let product = server.catalogue.product(
            productIdentifier,
            locale: nil,
            storefront: server.catalogue.settings.storefront
        )
        guard product?.subscription != nil else {
            throw SKTestError(.invalidProductType, "\(productIdentifier) is not an auto-renewable subscription.")
        }
        let id = try server.read { [name = server.queue] ledger in
            try ledger.queue(name).flatMap { queue in
                try ledger.subscriptions(in: queue.key, afterKey: 0, limit: Self.subscriptionsPage)
                    .first { $0.productID == productIdentifier }
            }.flatMap { try ledger.transaction(key: $0.latestKey)?.id }
        }
        guard let id else {
            throw SKTestError(.noSubscriptionFound, "The session has no subscription to \(productIdentifier).")
        }
        return id
    }
}
