public import Foundation
public import StoreKit
import TillModel

/// How the store behaves. A change is in force when it returns; while the server is killed, once it is restarted. A value
/// that the store does not take, as a storefront that is no country code, leaves the setting as it was.
extension SKTestSession {
    /// Whether purchases wait for approval
    /// (https://developer.apple.com/documentation/storekittest/sktestsession/asktobuyenabled).
    public var askToBuyEnabled: Bool {
        get { value(\.isAskToBuyEnabled) }
        set { set(.askToBuy, to: "\(newValue)") }
    }

    /// Whether nobody is asked to confirm anything
    /// (https://developer.apple.com/documentation/storekittest/sktestsession/disabledialogs).
    ///
    /// Here a question is only put to an authorisation agent that is attached to the session; without one there is no
    /// dialogue in either case.
    public var disableDialogs: Bool {
        get { value(\.areDialogsDisabled) }
        set { set(.disableDialogs, to: "\(newValue)") }
    }

    /// Whether every payment fails, with ``failureError``
    /// (https://developer.apple.com/documentation/storekittest/sktestsession/failtransactionsenabled).
    public var failTransactionsEnabled: Bool {
        get { value(\.failsTransactions) }
        set { set(.failTransactions, to: "\(newValue)") }
    }

    /// With what payments fail (https://developer.apple.com/documentation/storekittest/sktestsession/failureerror).
    public var failureError: SKError.Code {
        get { SKError.Code(rawValue: value(\.transactionError).rawValue) ?? .unknown }
        set { set(.transactionError, to: "\(newValue.rawValue)") }
    }

    /// Whether purchases are interrupted, and fail until ``resolveIssueForTransaction(identifier:)``
    /// (https://developer.apple.com/documentation/storekittest/sktestsession/interruptedpurchasesenabled).
    public var interruptedPurchasesEnabled: Bool {
        get { value(\.interruptsPurchases) }
        set { set(.interruptedPurchases, to: "\(newValue)") }
    }

    /// Whether renewals are not paid for, and tried again
    /// (https://developer.apple.com/documentation/storekittest/sktestsession/shouldenterbillingretryonrenewal).
    public var shouldEnterBillingRetryOnRenewal: Bool {
        get { value(\.failsRenewals) }
        set { set(.billingRetry, to: "\(newValue)") }
    }

    /// Whether a subscription that is not paid for stays in force for a while. No effect without
    /// ``shouldEnterBillingRetryOnRenewal``
    /// (https://developer.apple.com/documentation/storekittest/sktestsession/billinggraceperiodisenabled).
    public var billingGracePeriodIsEnabled: Bool {
        get { value(\.hasGracePeriod) }
        set { set(.gracePeriod, to: "\(newValue)") }
    }

    /// Where the store sells: three letters of ISO 3166-1
    /// (https://developer.apple.com/documentation/storekittest/sktestsession/storefront).
    public var storefront: String {
        get { value(\.storefront) }
        set { set(.storefront, to: newValue) }
    }

    /// The language of products (https://developer.apple.com/documentation/storekittest/sktestsession/locale).
    public var locale: Locale {
        get { Locale(identifier: value(\.locale).replacingOccurrences(of: "-", with: "_")) }
        set {
            let tag = newValue.identifier.prefix { $0 != "@" }.replacingOccurrences(of: "_", with: "-")
            set(.locale, to: tag)
        }
    }

    /// How fast subscriptions renew
    /// (https://developer.apple.com/documentation/storekittest/sktestsession/timerate-swift.property).
    public var timeRate: TimeRate {
        get { TimeRate(rawValue: value(\.timeRate).rawValue) ?? .realTime }
        set { set(.timeRate, to: "\(newValue.rawValue)") }
    }

    /// Takes all settings back to what the configuration file says, and forgets all faults; transactions stay
    /// (https://developer.apple.com/documentation/storekittest/sktestsession/resettodefaultstate()).
    public func resetToDefaultState() {
        server.provider.follow(FaultPlan())
        try? server.change([:], resetAll: true)
    }

    private func value<Value>(_ key: KeyPath<StoreSettings, Value>) -> Value {
        ((try? server.settings()) ?? server.catalogue.settings)[keyPath: key]
    }

    private func set(_ key: StoreSettings.Key, to value: String) {
        try? server.change([key: value])
    }
}
