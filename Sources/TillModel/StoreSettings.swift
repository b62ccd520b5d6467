/// How the store behaves: what Xcode's `.storekit` files set, and what an operator may change while the daemon runs.
package struct StoreSettings: Hashable, Sendable {
    /// Purchases wait for approval: `SKTestSession.askToBuyEnabled`.
    package var isAskToBuyEnabled = false
    /// Purchases are interrupted: `SKTestSession.interruptedPurchasesEnabled`.
    package var interruptsPurchases = false
    /// An interrupted purchase waits in deferred, instead of failing and being continued by another transaction.
    package var defersInterruptedPurchases = false
    /// Renewals are not paid for, and tried again: `SKTestSession.shouldEnterBillingRetryOnRenewal`.
    package var failsRenewals = false
    /// Subscriptions stay in force for a while during billing retry: `SKTestSession.billingGracePeriodIsEnabled`.
    package var hasGracePeriod = false
    /// Every payment fails with `transactionError`: `SKTestSession.failTransactionsEnabled`.
    package var failsTransactions = false
    package var transactionError = PaymentError.Code.unknown
    /// Nobody is asked for consent: `SKTestSession.disableDialogs`.
    package var areDialogsDisabled = false
    package var authorizationPolicy = AuthorizationPolicy.automatic
    /// ISO 3166-1 alpha-3.
    package var storefront = "USA"
    /// BCP 47: the language of who asks for none.
    package var locale = "en-US"
    package var timeRate = TimeRate.realTime

    package init() {}
}
