import FoundationEssentials
import TillModel

extension ConfigurationReader {
    mutating func readSettings(_ file: Fields) -> CatalogueSettings {
        var settings = CatalogueSettings()
        guard let knobs = object("settings", of: file, .settings) else { return settings }
        settings.timeRate = timeRate(knobs)
        settings.isAskToBuyEnabled = flag("_askToBuyEnabled", of: knobs) ?? false
        settings.areInterruptedPurchasesEnabled = flag("_billingIssuesEnabled", of: knobs) ?? false
        settings.isBillingRetryEnabled = flag("_renewalBillingIssuesEnabled", of: knobs) ?? false
        settings.isBillingGracePeriodEnabled = flag("_billingGracePeriodEnabled", of: knobs) ?? false
        settings.failsTransactions = flag("_failTransactionsEnabled", of: knobs) ?? false
        settings.transactionError = PaymentError.Code(rawValue: integer("_storeKitError", of: knobs) ?? 0)
        settings.simulatedFailures = objects("_storeKitErrors", of: knobs, .simulatedFailure).map { failure($0) }
        settings.areDialogsDisabled = flag("_disableDialogs", of: knobs) ?? false
        readStorefront(knobs, into: &settings)
        settings.language = language("_locale", of: knobs) ?? .americanEnglish
        settings.applicationID = filledText("_applicationInternalID", of: knobs)
        settings.developerTeamID = filledText("_developerTeamID", of: knobs)
        settings.lastSynchronized = number("_lastSynchronizedDate", of: knobs)
            .map(Date.init(timeIntervalSinceReferenceDate:))
        return settings
    }

    /// Reads a language tag; adds a warning if the text is invalid.
    mutating func language(_ key: String, of fields: Fields) -> LanguageTag? {
        guard let text = filledText(key, of: fields) else { return nil }
        if let language = LanguageTag(text) { return language }
        findings.warning("\(key) \(text.quoted) is not a language such as en_US", product: fields.product)
        return nil
    }

    /// Reads `_timeRate`; if it is a rate of a later Xcode, the rate that the file specifies for earlier versions.
    private mutating func timeRate(_ knobs: Fields) -> TimeRate {
        guard let rawValue = integer("_timeRate", of: knobs) else { return .realTime }
        if let rate = TimeRate(rawValue: rawValue) { return rate }
        let compatible: Int? =
            switch knobs.members["_compatibilityTimeRate"] {
            case .object(let rates)?: rates.max { (Int($0.key) ?? 0) < (Int($1.key) ?? 0) }?.value.integer
            case let rate: rate?.integer
            }
        let rate = compatible.flatMap(TimeRate.init(rawValue:)) ?? .realTime
        findings.warning("_timeRate \(rawValue) is unknown; \(rate) is used")
        return rate
    }

    private mutating func readStorefront(_ knobs: Fields, into settings: inout CatalogueSettings) {
        guard let country = filledText("_storefront", of: knobs) else { return }
        guard Storefronts.isCountryCode(country) else {
            findings.error("_storefront \(country.quoted) is not an ISO 3166-1 alpha-3 code such as USA")
            return
        }
        settings.storefront = Storefronts.storefront(countryCode: country)
        if let currency = Storefronts.currency(countryCode: country) {
            settings.currency = currency
        } else {
            findings.warning("the App Store has no known storefront \(country); prices are in USD")
        }
    }

    private mutating func failure(_ entry: Fields) -> SimulatedFailure {
        let current = entry.members["current"]?.object
        let failure = SimulatedFailure(
            name: text("name", of: entry) ?? "",
            isEnabled: flag("enabled", of: entry) ?? false,
            type: current?["type"]?.string,
            index: current?["index"]?.integer
        )
        if failure.isEnabled {
            findings.warning("the simulated failure \(failure.name.quoted) has no effect")
        }
        return failure
    }

    /// Reads the key for promotional offers; adds a warning if it is invalid.
    mutating func keyPair(_ file: Fields) -> OfferKeyPair? {
        guard let pair = object("subscriptionOffersKeyPair", of: file, .keyPair) else { return nil }
        guard let id = filledText("id", of: pair),
            let key = filledText("privateKey", of: pair).flatMap({ Data(base64Encoded: $0) })
        else {
            findings.warning("subscriptionOffersKeyPair has no id or no base64 private key and is ignored")
            return nil
        }
        return OfferKeyPair(id: id, privateKey: PrivateKey(bytes: Array(key)))
    }
}
