public import FoundationEssentials
public import TillModel
import TillWire

/// Asks people, on behalf of the daemon, whether they pay or allow a payment.
///
/// A process that reads ``updates`` is an agent of its user: payments that need that user's consent wait for it. Answers
/// may come from any process that may give them.
///
/// ```swift
/// for try await update in agent.updates {
///     if case .requested(let request) = update {
///         try await agent.answer(request, approves: await ask(request))
///     }
/// }
/// ```
public final class AuthorizationAgent: Sendable {
    public let configuration: ClientConfiguration
    let connector: Connector

    /// - Parameter configuration: Its `application` names the agent itself.
    public init(_ configuration: ClientConfiguration) {
        self.configuration = configuration
        connector = Connector(configuration: configuration)
    }

    /// The open requests that this user may answer, the oldest first.
    public var requests: PagedList<AuthorizationRequest> {
        PagedList { [connector] (token) async throws(TillError) in
            let page: ListAuthorizationRequestsResponse = try await connector.call(
                AuthorizationMethod.service,
                AuthorizationMethod.listRequests.rawValue,
                ListAuthorizationRequestsRequest(pageToken: token)
            )
            return (page.requests, page.nextPageToken)
        }
    }

    /// All open requests, then what comes and goes.
    public var updates: AuthorizationUpdates {
        AuthorizationUpdates(agent: self)
    }

    /// Answers a request, and returns once that is durable. The first answer counts.
    ///
    /// - Parameter reason: The person's words, at most 256 bytes; they are kept.
    /// - Throws: `notFound` for a request that is not this user's to answer, `failedPrecondition` for one that was
    ///   answered, perhaps by this call before a connection was lost, or whose deadline has passed.
    public func answer(
        _ id: UUID,
        kind: AuthorizationRequest.Kind,
        approves: Bool,
        reason: String = ""
    ) async throws(TillError) {
        let _: AnswerResponse = try await connector.call(
            AuthorizationMethod.service,
            AuthorizationMethod.answer.rawValue,
            AnswerRequest(id: id, kind: kind, approves: approves, reason: reason)
        )
    }

    /// Answers a request, as ``answer(_:kind:approves:reason:)`` does.
    public func answer(
        _ request: AuthorizationRequest,
        approves: Bool,
        reason: String = ""
    ) async throws(TillError) {
        try await answer(request.id, kind: request.kind, approves: approves, reason: reason)
    }

    /// Ends the connection and every sequence of updates. Calls made afterwards fail.
    public func close() async {
        await connector.close()
    }
}
