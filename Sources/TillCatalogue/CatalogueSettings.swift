package import FoundationEssentials
package import TillModel

/// The knobs of a `.storekit` file, each with the value that an absent key stands for.
package struct CatalogueSettings: Hashable, Sendable {
    /// `_timeRate`, or `_compatibilityTimeRate` when that is a rate unknown here.
    package var timeRate = TimeRate.realTime
    /// `_askToBuyEnabled`: purchases wait for approval.
    package var isAskToBuyEnabled = false
    /// `_billingIssuesEnabled`: purchases are interrupted.
    package var areInterruptedPurchasesEnabled = false
    /// `_renewalBillingIssuesEnabled`: renewals fail and are tried again.
    package var isBillingRetryEnabled = false
    /// `_billingGracePeriodEnabled`: a subscription stays in force during billing retry. No effect without the retry.
    package var isBillingGracePeriodEnabled = false
    /// `_failTransactionsEnabled`: every purchase fails with `transactionError`.
    package var failsTransactions = false
    /// `_storeKitError`: the code that failing transactions give; 0 is unknown.
    package var transactionError = PaymentError.Code.unknown
    /// `_storeKitErrors`: failures for single kinds of call. They have no effect here.
    package var simulatedFailures: [SimulatedFailure] = []
    /// `_disableDialogs`: purchases ask for no confirmation.
    package var areDialogsDisabled = false
    /// `_storefront`: the United States by default.
    ///
    /// A text that is not shaped like a country code is an error; a country that the App Store is not known to sell in
    /// is kept, with a warning, and sells in US dollars.
    package var storefront = Storefronts.unitedStates
    /// ISO 4217, by the storefront; no file states it.
    package var currency = Storefronts.currencyDefault
    /// `_locale`: American English by default.
    package var language = LanguageTag.americanEnglish
    /// `_applicationInternalID`: the App Store's number of the app, in files synced with App Store Connect.
    package var applicationID: String?
    /// `_developerTeamID`, in synced files.
    package var developerTeamID: String?
    /// `_lastSynchronizedDate`: when App Store Connect was last asked; such a file is a mirror and not for editing.
    package var lastSynchronized: Date?

    package init() {}
}
