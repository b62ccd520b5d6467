public import Foundation
public import StoreKit
import TillModel

/// Store settings. A change takes effect before it returns, or at the restart if the server is killed. An invalid
/// value, such as a storefront that is not a country code, leaves the setting unchanged.
extension SKTestSession {
    /// Whether purchases wait for approval
    /// (https://developer.apple.com/documentation/storekittest/sktestsession/asktobuyenabled).
    public var askToBuyEnabled: Bool {
        get { value(\.isAskToBuyEnabled) }
        set { set(.askToBuy, to: "\(newValue)") }
    }

    /// Whether confirmation dialogues are disabled
    /// (https://developer.apple.com/documentation/storekittest/sktestsession/disabledialogs).
    ///
    /// Only an authorisation agent that is attached to the session shows dialogues; without one there are no dialogues
    /// in either case.
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

    /// The error with which payments fail
    /// (https://developer.apple.com/documentation/storekittest/sktestsession/failureerror).
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

    /// Whether renewals fail and are retried
    /// (https://developer.apple.com/documentation/storekittest/sktestsession/shouldenterbillingretryonrenewal).
    public var shouldEnterBillingRetryOnRenewal: Bool {
        get { value(\.failsRenewals) }
        set { set(.billingRetry, to: "\(newValue)") }
    }

    /// Whether an unpaid subscription stays active for a grace period. It has no effect without
    /// ``shouldEnterBillingRetryOnRenewal``
    /// (https://developer.apple.com/documentation/storekittest/sktestsession/billinggraceperiodisenabled).
    public var billingGracePeriodIsEnabled: Bool {
        get { value(\.hasGracePeriod) }
        set { set(.gracePeriod, to: "\(newValue)") }
    }

    /// The storefront's country: three letters of ISO 3166-1
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

    /// Resets all settings to the configuration file's values and removes all faults; transactions stay
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

extension SKTestSession {
    /// How fast subscriptions renew
    /// (https://developer.apple.com/documentation/storekittest/sktestsession/timerate-swift.enum).
    public enum TimeRate: Int, Hashable, Sendable, CaseIterable {
        /// Subscriptions renew by the calendar.
        case realTime = 0
        case oneHourIsOneDay = 1
        case thirtyMinutesIsOneDay = 2
        case fiveMinutesIsOneDay = 3
        case oneMinuteIsOneDay = 4
        case thirtySecondsIsOneDay = 5
        case oneSecondIsOneDay = 6
        /// A month takes an hour, a week a quarter of one.
        case monthlyRenewalEveryHour = 10
        /// A month takes 30 minutes, a week 10.
        case monthlyRenewalEveryThirtyMinutes = 11
        /// A month takes 15 minutes, a week 5.
        case monthlyRenewalEveryFifteenMinutes = 12
        /// A month takes 5 minutes, a week 3.
        case monthlyRenewalEveryFiveMinutes = 13
        /// A month takes 30 seconds, a week 10.
        case monthlyRenewalEveryThirtySeconds = 15
        /// Every period takes 15 minutes.
        case oneRenewalEveryFifteenMinutes = 1000
        case oneRenewalEveryFiveMinutes = 1001
        case oneRenewalEveryMinute = 1002
        case oneRenewalEveryThirtySeconds = 1003
        case oneRenewalEveryTenSeconds = 1004
        case oneRenewalEveryTwoSeconds = 1005
    }
}
