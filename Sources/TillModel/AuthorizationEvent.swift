public import FoundationEssentials

/// An event for an authorisation agent.
public enum AuthorizationEvent: Hashable, Sendable {
    /// A request was opened and needs an answer.
    case requested(AuthorizationRequest)
    /// A request was answered or has expired.
    case withdrawn(id: UUID, kind: AuthorizationRequest.Kind)
}
