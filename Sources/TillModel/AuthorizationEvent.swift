public import FoundationEssentials

/// What an authorisation agent is told.
public enum AuthorizationEvent: Hashable, Sendable {
    /// A question to ask.
    case requested(AuthorizationRequest)
    /// The question was answered elsewhere, or has ended.
    case withdrawn(id: UUID, kind: AuthorizationRequest.Kind)
    /// Nothing new; the daemon is there.
    case heartbeat
}
