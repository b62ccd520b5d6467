/// The store's settings, from Xcode's `.storekit` files; an operator may change them while the daemon runs.
package struct StoreSettings: Hashable, Sendable {
    /// Purchases wait for approval: `SKTestSession.askToBuyEnabled`.
    package var isAskToBuyEnabled = false
    /// Purchases are interrupted: `SKTestSession.interruptedPurchasesEnabled`.
    package var interruptsPurchases = false
    /// An interrupted purchase waits in the deferred state, instead of failing and being completed by another
    /// transaction.
    package var defersInterruptedPurchases = false
    /// Renewals fail and are retried: `SKTestSession.shouldEnterBillingRetryOnRenewal`.
    package var failsRenewals = false
    /// Subscriptions stay active for a grace period during billing retry: `SKTestSession.billingGracePeriodIsEnabled`.
    package var hasGracePeriod = false
    /// Every payment fails with `transactionError`: `SKTestSession.failTransactionsEnabled`.
    package var failsTransactions = false
    package var transactionError = PaymentError.Code.unknown
    /// Users are not asked for consent: `SKTestSession.disableDialogs`.
    package var areDialogsDisabled = false
    package var authorizationPolicy = AuthorizationPolicy.automatic
    /// ISO 3166-1 alpha-3.
    package var storefront = "USA"
    /// BCP 47: the default language.
    package var locale = "en-US"
    package var timeRate = TimeRate.realTime

    package init() {}
}
