public import FoundationEssentials
public import TillModel
import TillWire

/// Asks people, on behalf of the daemon, to pay or to approve a payment.
///
/// A process that reads ``updates`` is an agent of its user: payments that need that user's consent wait for the agent.
/// Any permitted process may answer.
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
    let connector: DaemonConnector

    /// - Parameter configuration: Its `application` names the agent itself.
    public init(_ configuration: ClientConfiguration) {
        self.configuration = configuration
        connector = DaemonConnector(configuration)
    }

    /// The open requests that this user may answer, the oldest first.
    public var requests: PagedList<AuthorizationRequest> {
        PagedList { [connector] (token) async throws(TillError) in
            let page = try await connector.call(ListAuthorizationRequestsRequest(pageToken: token))
            return (page.requests, page.nextPageToken)
        }
    }

    /// All open requests, then new and withdrawn requests.
    public var updates: AuthorizationUpdates {
        AuthorizationUpdates(agent: self)
    }

    /// Answers a request, and returns once that is durable. The first answer counts.
    ///
    /// - Parameters:
    ///   - id: The payment's id, which is the request's.
    ///   - kind: What is asked.
    ///   - approves: The answer.
    ///   - price: The price of the request that the person saw. Needed to agree to a price increase.
    ///   - reason: The person's words, at most 256 bytes. The daemon stores them.
    /// - Throws: `notFound` for a request that this user may not answer; `failedPrecondition` for a request whose
    ///   deadline has passed, or that was answered, possibly by this call before a connection was lost, or whose price is
    ///   another one by now; `invalidArgument` if a price increase is agreed to without its price.
    public func answer(
        _ id: UUID,
        kind: AuthorizationRequest.Kind,
        approves: Bool,
        price: Price? = nil,
        reason: String = ""
    ) async throws(TillError) {
        _ = try await connector.call(
            AnswerRequest(id: id, kind: kind, approves: approves, reason: reason, price: price)
        )
    }

    /// Answers a request, as ``answer(_:kind:approves:price:reason:)`` does.
    public func answer(
        _ request: AuthorizationRequest,
        approves: Bool,
        reason: String = ""
    ) async throws(TillError) {
        try await answer(
            request.id,
            kind: request.kind,
            approves: approves,
            price: request.price,
            reason: reason
        )
    }

    /// The page on which a payment of the kind `AuthorizationRequest.Kind.payment` is paid. Anyone who has its address
    /// can see what is bought, and pay: show it to the user, and store it nowhere.
    ///
    /// - Parameter id: The payment's id.
    /// - Throws: `notFound` for a payment that is not this user's to pay; `failedPrecondition` for one that does not wait
    ///   for its payer; `unavailable` when the provider cannot be asked.
    public func paymentPage(_ id: UUID) async throws(TillError) -> String {
        try await connector.call(PaymentPageRequest(id: id)).url
    }

    /// Ends the connection and every sequence of updates. Calls made afterwards fail.
    public func close() async {
        await connector.close()
    }
}
