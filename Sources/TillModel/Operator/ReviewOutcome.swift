/// What an operator found out about a charge whose outcome stayed unknown.
public enum ReviewOutcome: Hashable, Sendable {
    /// The provider charged, and calls the charge this.
    case charged(reference: String?)
    case notCharged
}
