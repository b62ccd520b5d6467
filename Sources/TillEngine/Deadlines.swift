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
