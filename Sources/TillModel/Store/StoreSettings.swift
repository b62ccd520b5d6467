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

extension StoreSettings {
    /// The names of the settings, as operators and the ledger use them.
    package enum Key: String, Hashable, Sendable, CaseIterable {
        case askToBuy = "ask-to-buy"
        case interruptedPurchases = "interrupted-purchases"
        case interruptedAsDeferred = "interrupted-as-deferred"
        case billingRetry = "billing-retry"
        case gracePeriod = "grace-period"
        case failTransactions = "fail-transactions"
        case transactionError = "transaction-error"
        case disableDialogs = "disable-dialogs"
        case authorization
        case storefront
        case locale
        case timeRate = "time-rate"

        /// A description of the allowed values.
        package var domain: String {
            switch self {
            case .transactionError: "the number of an SKError.Code, 0 to 20"
            case .authorization: "automatic, refuse or wait"
            case .storefront: "three letters of ISO 3166-1, for example USA"
            case .locale: "a language tag, for example en-US"
            case .timeRate: "the number of an SKTestSession.TimeRate: \(Self.rates)"
            default: "true or false"
            }
        }

        private static let rates = TimeRate.allCases.map { "\($0.rawValue)" }.joined(separator: " ")
    }

    /// The setting's value as text.
    package subscript(_ key: Key) -> String {
        switch key {
        case .askToBuy: "\(isAskToBuyEnabled)"
        case .interruptedPurchases: "\(interruptsPurchases)"
        case .interruptedAsDeferred: "\(defersInterruptedPurchases)"
        case .billingRetry: "\(failsRenewals)"
        case .gracePeriod: "\(hasGracePeriod)"
        case .failTransactions: "\(failsTransactions)"
        case .transactionError: "\(transactionError.rawValue)"
        case .disableDialogs: "\(areDialogsDisabled)"
        case .authorization: "\(authorizationPolicy)"
        case .storefront: storefront
        case .locale: locale
        case .timeRate: "\(timeRate.rawValue)"
        }
    }

    /// Sets the setting from text.
    ///
    /// - Throws: `invalidArgument` with the allowed values.
    package mutating func set(_ key: Key, to text: String) throws(TillError) {
        switch key {
        case .askToBuy: isAskToBuyEnabled = try Self.parse(key, text)
        case .interruptedPurchases: interruptsPurchases = try Self.parse(key, text)
        case .interruptedAsDeferred: defersInterruptedPurchases = try Self.parse(key, text)
        case .billingRetry: failsRenewals = try Self.parse(key, text)
        case .gracePeriod: hasGracePeriod = try Self.parse(key, text)
        case .failTransactions: failsTransactions = try Self.parse(key, text)
        case .transactionError: transactionError = try Self.errorCode(key, text)
        case .disableDialogs: areDialogsDisabled = try Self.parse(key, text)
        case .authorization: authorizationPolicy = try Self.policy(key, text)
        case .storefront: storefront = try Self.countryCode(key, text)
        case .locale: locale = try Self.identifier(key, text)
        case .timeRate: timeRate = try Self.rate(key, text)
        }
    }

    private static func parse(_ key: Key, _ text: String) throws(TillError) -> Bool {
        guard let value = Bool(text) else {
            throw refusal(key, text)
        }
        return value
    }

    private static func errorCode(_ key: Key, _ text: String) throws(TillError) -> PaymentError.Code {
        guard let number = Int(text), (0...20).contains(number) else {
            throw refusal(key, text)
        }
        return PaymentError.Code(rawValue: number)
    }

    private static func policy(_ key: Key, _ text: String) throws(TillError) -> AuthorizationPolicy {
        guard let policy = AuthorizationPolicy.allCases.first(where: { "\($0)" == text }) else {
            throw refusal(key, text)
        }
        return policy
    }

    private static func countryCode(_ key: Key, _ text: String) throws(TillError) -> String {
        let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
        guard text.utf8.count == 3, text.utf8.allSatisfy(letters.contains) else {
            throw refusal(key, text)
        }
        return text
    }

    private static func identifier(_ key: Key, _ text: String) throws(TillError) -> String {
        guard Identifier.isValid(text) else {
            throw refusal(key, text)
        }
        return text
    }

    private static func rate(_ key: Key, _ text: String) throws(TillError) -> TimeRate {
        guard let rate = Int(text).flatMap(TimeRate.init) else {
            throw refusal(key, text)
        }
        return rate
    }

    private static func refusal(_ key: Key, _ text: String) -> TillError {
        TillError(.invalidArgument, "Invalid value \(text) for \(key.rawValue): use \(key.domain).")
    }
}
