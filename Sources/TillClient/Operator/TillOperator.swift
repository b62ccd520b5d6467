import TillModel
import TillWire

/// What who runs the store does with it: look into transactions, decide, refund, and set the simulated store.
///
/// Every change carries a reason of 1 to 256 bytes, and is recorded with it, with the time and with the user. A change
/// whose answer was lost, which is `unavailable` or `deadlineExceeded`, may have happened and is not sent again by
/// itself: look before repeating it. A refund has an identity, and is repeated.
public final class TillOperator: Sendable {
    public let configuration: ClientConfiguration
    private let connector: Connector

    /// - Parameter configuration: Its `application` names the tool that the operator uses.
    public init(_ configuration: ClientConfiguration) {
        self.configuration = configuration
        connector = Connector(configuration: configuration)
    }

    /// Ends the connection. Calls made afterwards fail.
    public func close() async {
        await connector.close()
    }

    /// Asks the daemon for something, again while it cannot be reached.
    func read<Request: WireMessage, Response: WireMessage>(
        _ method: OperatorMethod,
        _ request: Request
    ) async throws(TillError) -> Response {
        try await connector.call(OperatorMethod.service, method.rawValue, request)
    }

    /// Has the daemon do something, which is sent once.
    func change<Request: WireMessage, Response: WireMessage>(
        _ method: OperatorMethod,
        _ request: Request
    ) async throws(TillError) -> Response {
        try await connector.call(OperatorMethod.service, method.rawValue, request, isRepeated: false)
    }
}
