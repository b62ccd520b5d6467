package import TillModel

/// What an operator may set of the engine, with its defaults.
package struct EngineConfiguration: Sendable {
    /// How long a payment may stay in purchasing: then the provider's answer is given up, and the payment fails. Below
    /// the 24 hours after which providers forget idempotency keys.
    package var purchasingDeadline: Duration = .seconds(23 * 3600)
    /// How the store behaves, over what the catalogue says.
    package var settings: [StoreSettings.Key: String] = [:]
    /// How long a payment waits for a person.
    package var deadlines = Deadlines()
    /// How long a restore may take from one page to the next.
    package var restoreDeadline: Duration = .seconds(60)
    /// How long a download may take from its start, or from when it was resumed.
    package var downloadDeadline: Duration = .seconds(24 * 3600)
    /// Bytes of the disk that the downloads of an account may take, by their lengths.
    package var downloadQuota: Int64 = 10 << 30
    /// Accounts that may not pay.
    package var accountsNotAllowedToPay: Set<String> = []

    package init() {}
}

/// How long a payment waits for a person.
package struct Deadlines: Hashable, Sendable {
    /// For who answers for the buyer; 24 hours as with the App Store
    /// (https://support.apple.com/en-us/105055).
    package var approval = Duration.seconds(24 * 3600)
    /// For the user's own consent.
    package var authorization = Duration.seconds(10 * 60)
    /// For an interruption to be resolved, where the transaction waits for it.
    package var resolution = Duration.seconds(24 * 3600)

    /// No wait is longer.
    var longest: Duration {
        max(approval, authorization, resolution)
    }

    package init() {}
}
