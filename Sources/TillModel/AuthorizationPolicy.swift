/// The handling of a payment that needs consent while no authorisation agent is available.
public enum AuthorizationPolicy: Int, Hashable, Sendable, CaseIterable {
    /// The payment is approved automatically.
    case automatic = 0
    /// The payment fails.
    case refuse = 1
    /// The payment waits for an agent until its deadline.
    case wait = 2
}
