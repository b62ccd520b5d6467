import TillModel
import TillWire

/// The payment queue of an application, kept by the daemon.
///
/// Make one and keep it; any task may call any method at any time. It connects when it is first used, and again whenever
/// the connection is lost: calls that were not answered are sent again with the same identity, which is safe, and
/// ``changes`` goes on where it was.
public final class PaymentQueue: Sendable {
    public let configuration: ClientConfiguration
    let finished = FinishedTransactions()
    let connector: Connector

    public init(_ configuration: ClientConfiguration) {
        self.configuration = configuration
        connector = Connector(configuration: configuration)
    }

    /// A queue with the default configuration.
    ///
    /// - Parameter application: The application's bundle identifier.
    public convenience init(application: String) {
        self.init(ClientConfiguration(application: application))
    }

    /// Ends the connection and every sequence of changes. Calls made afterwards fail.
    public func close() async {
        await connector.close()
    }

    func call<Request: WireMessage, Response: WireMessage>(
        _ method: PaymentQueueMethod,
        _ request: Request
    ) async throws(TillError) -> Response {
        try await connector.call(PaymentQueueMethod.service, method.rawValue, request)
    }
}
