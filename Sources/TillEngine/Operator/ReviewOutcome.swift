/// What an operator found out about a charge whose outcome was unknown.
package enum ReviewOutcome: Hashable, Sendable {
    /// The money moved. The provider's name for the charge, if it is known.
    case charged(reference: String?)
    /// It did not, and never will.
    case notCharged
}
