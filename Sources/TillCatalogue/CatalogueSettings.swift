package import FoundationEssentials
package import TillModel

/// The settings of a `.storekit` file, each with its default value.
package struct CatalogueSettings: Hashable, Sendable {
    /// `_timeRate`, or `_compatibilityTimeRate` if that rate is unknown.
    package var timeRate = TimeRate.realTime
    /// `_askToBuyEnabled`: purchases wait for approval.
    package var isAskToBuyEnabled = false
    /// `_billingIssuesEnabled`: purchases are interrupted.
    package var areInterruptedPurchasesEnabled = false
    /// `_renewalBillingIssuesEnabled`: renewals fail and are retried.
    package var isBillingRetryEnabled = false
    /// `_billingGracePeriodEnabled`: a subscription stays active during billing retry. It has no effect without billing
    /// retry.
    package var isBillingGracePeriodEnabled = false
    /// `_failTransactionsEnabled`: every purchase fails with `transactionError`.
    package var failsTransactions = false
    /// `_storeKitError`: the error code of failing transactions; 0 is unknown.
    package var transactionError = PaymentError.Code.unknown
    /// `_storeKitErrors`: failures of specific calls. They have no effect here.
    package var simulatedFailures: [SimulatedFailure] = []
    /// `_disableDialogs`: purchases ask for no confirmation.
    package var areDialogsDisabled = false
    /// `_storefront`: the United States by default.
    ///
    /// A text that is not a valid country code is an error. A country without a known App Store storefront is kept with
    /// a warning, and its currency is US dollars.
    package var storefront = Storefronts.unitedStates
    /// The storefront's currency (ISO 4217); files do not contain it.
    package var currency = Storefronts.currencyDefault
    /// `_locale`: American English by default.
    package var language = LanguageTag.americanEnglish
    /// `_applicationInternalID`: the App Store's number of the app, in files synced with App Store Connect.
    package var applicationID: String?
    /// `_developerTeamID`, in synced files.
    package var developerTeamID: String?
    /// `_lastSynchronizedDate`: the time of the last synchronisation with App Store Connect; such a file is a mirror
    /// and must not be edited.
    package var lastSynchronized: Date?

    package init() {}
}
