/// The keys in the `userInfo` of an ``SKError`` beyond Apple's. Each value is a `String`.
public enum SKTillErrorKey {
    /// The detailed reason: `cancelled`, `declined`, `expired`, `withdrawn`, `interrupted`, `notAllowed`,
    /// `invalidPayment`, `productUnavailable`, `providerDeclined`, `outcomeUnknown`, `noAgent`, `invalidOffer`,
    /// `simulated`, `unreachable`, `stopped` or `unspecified`.
    public static let reason = "SKTillReason"
    /// Whether the account was charged: `no`, `yes` or `unknown`.
    public static let moneyMoved = "SKTillMoneyMoved"
    /// Whether the same purchase may be retried with a new payment: `safe`, `never` or `afterReconciliation`.
    public static let retry = "SKTillRetry"
    /// The payment provider's own code, if it gave one.
    public static let providerCode = "SKTillProviderCode"
}
