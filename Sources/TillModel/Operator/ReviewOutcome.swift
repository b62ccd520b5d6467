/// An operator's finding about a charge whose outcome stayed unknown.
public enum ReviewOutcome: Hashable, Sendable {
    /// The provider charged, with this reference.
    case charged(reference: String?)
    case notCharged
}
