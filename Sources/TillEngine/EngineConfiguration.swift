package import TillModel

/// The engine's configuration, with its defaults.
package struct EngineConfiguration: Sendable {
    /// How long a payment may stay in purchasing: after that the engine stops asking the provider, and the payment
    /// fails. Below the 24 hours after which providers forget idempotency keys.
    package var purchasingDeadline: Duration = .seconds(23 * 3600)
    /// How long a provider is asked to prepare a charge: after that the payment fails, and nothing was charged.
    package var preparationDeadline: Duration = .seconds(5 * 60)
    /// Store settings, overriding the catalogue's.
    package var settings: [StoreSettings.Key: String] = [:]
    /// How long a payment waits for a person.
    package var deadlines = Deadlines()
    /// How long a restore may take from one page to the next.
    package var restoreDeadline: Duration = .seconds(60)
    /// How long a download may take from its start, or from when it was resumed.
    package var downloadDeadline: Duration = .seconds(24 * 3600)
    /// Bytes of the disk that the downloads of an account may take, by their lengths.
    package var downloadQuota: Int64 = 10 << 30
    /// How often the provider is asked for news if it does not ring (``PaymentEngine/askForNews()``).
    package var newsInterval = NewsJob.interval
    /// How long receipts and histories of finished transactions are kept that nothing needs any more; nil to keep all of them.
    package var retention: Duration?
    /// Accounts that may not pay.
    package var accountsNotAllowedToPay: Set<String> = []

    package init() {}
}

/// How long a payment waits for a person.
package struct Deadlines: Hashable, Sendable {
    /// The wait for the buyer's approver; 24 hours as with the App Store (https://support.apple.com/en-us/105055).
    package var approval = Duration.seconds(24 * 3600)
    /// The wait for the user's own consent.
    package var authorization = Duration.seconds(10 * 60)
    /// The wait for an interruption to be resolved, if the transaction waits for that.
    package var resolution = Duration.seconds(24 * 3600)

    /// The longest of all waits.
    var longest: Duration {
        max(approval, authorization, resolution)
    }

    package init() {}
}
