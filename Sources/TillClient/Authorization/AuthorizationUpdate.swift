public import FoundationEssentials
public import TillModel

/// What an authorisation agent is told, in order.
public enum AuthorizationUpdate: Hashable, Sendable {
    /// Open, to be answered.
    case requested(AuthorizationRequest)
    /// Answered, by whoever it was, or too late to be.
    case withdrawn(id: UUID, kind: AuthorizationRequest.Kind)
    /// The daemon is reached, or lost. While it is lost this user has no agent here.
    case connection(ConnectionState)
}
