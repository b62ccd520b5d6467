public import FoundationEssentials

/// What an authorisation agent is told.
public enum AuthorizationEvent: Hashable, Sendable {
    /// Open, to be answered.
    case requested(AuthorizationRequest)
    /// Answered, or too late to be.
    case withdrawn(id: UUID, kind: AuthorizationRequest.Kind)
}
