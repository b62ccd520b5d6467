package import FoundationEssentials
package import TillModel

/// The contents of one `.storekit` file of Xcode.
///
/// Files of every version are read by their keys, independent of their version number. Unknown keys are ignored with a
/// warning.
package struct StoreKitConfiguration: Hashable, Sendable {
    /// The version of the file format.
    package struct Version: Hashable, Sendable {
        package var major: Int
        package var minor: Int

        package init(major: Int, minor: Int) {
            self.major = major
            self.minor = minor
        }
    }

    /// The path or name of the file.
    package var fileName: String
    /// The path of the file's content manifest, if one was read.
    package var manifestName: String?
    /// The file's identifier, which is not the app's bundle identifier; missing before version 1.1.
    package var identifier: String?
    package var version: Version?
    /// In the file's order: products, non-renewing subscriptions, then the groups' subscriptions.
    package var products: [CatalogueProduct]
    package var settings: CatalogueSettings
    package var subscriptionOffersKeyPair: OfferKeyPair?
    package var warnings: [Diagnostic]

    init(
        fileName: String,
        identifier: String?,
        version: Version?,
        products: [CatalogueProduct],
        settings: CatalogueSettings,
        subscriptionOffersKeyPair: OfferKeyPair?,
        warnings: [Diagnostic]
    ) {
        self.fileName = fileName
        self.identifier = identifier
        self.version = version
        self.products = products
        self.settings = settings
        self.subscriptionOffersKeyPair = subscriptionOffersKeyPair
        self.warnings = warnings
    }

    /// The number of pieces of content of its products.
    package var contentCount: Int {
        products.reduce(0) { $0 + $1.contents.count }
    }

    /// Reads a file and its content manifest, if there is one. Blocks on disk reads.
    ///
    /// Throws an error with the file, the product and the reason if the file cannot be read or has an error.
    package init(contentsOf path: String) throws(TillError) {
        let reading: CatalogueReading
        do {
            reading = try CatalogueReading(path: path)
        } catch {
            throw TillError(error.code, "\(path): \(error.reason).")
        }
        try self.init(reading)
    }

    /// Reads the contents of a file without a content manifest; `fileName` is its name in messages.
    package init(data: Data, fileName: String) throws(TillError) {
        try self.init(CatalogueReading(bytes: Array(data), fileName: fileName))
    }

    private init(_ reading: CatalogueReading) throws(TillError) {
        guard let configuration = reading.configuration else {
            throw reading.refusal ?? TillError(.internal, "The catalogue was refused for an unknown reason.")
        }
        self = configuration
    }
}

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

/// A failure that Xcode simulates for one kind of call.
package struct SimulatedFailure: Hashable, Sendable {
    /// The affected calls, for example `Purchase`.
    package var name: String
    package var isEnabled: Bool
    /// `generic`, `purchase` or `verification`.
    package var type: String?
    /// The position in Xcode's pop-up menu; the corresponding error is not documented.
    package var index: Int?

    package init(name: String, isEnabled: Bool, type: String? = nil, index: Int? = nil) {
        self.name = name
        self.isEnabled = isEnabled
        self.type = type
        self.index = index
    }
}
