package import TillModel

extension CatalogueSettings {
    /// The store settings of the file.
    package var storeSettings: StoreSettings {
        var settings = StoreSettings()
        settings.isAskToBuyEnabled = isAskToBuyEnabled
        settings.interruptsPurchases = areInterruptedPurchasesEnabled
        settings.failsRenewals = isBillingRetryEnabled
        settings.hasGracePeriod = isBillingGracePeriodEnabled
        settings.failsTransactions = failsTransactions
        settings.transactionError = transactionError
        settings.areDialogsDisabled = areDialogsDisabled
        settings.storefront = storefront.countryCode
        settings.locale = language.description
        settings.timeRate = timeRate
        return settings
    }
}
