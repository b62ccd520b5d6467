/// What becomes of a payment that nobody is there to ask about.
public enum AuthorizationPolicy: Int, Hashable, Sendable, CaseIterable {
    /// It is taken as agreed to.
    case automatic = 0
    /// It fails.
    case refuse = 1
    /// It waits for an agent until its deadline.
    case wait = 2
}
