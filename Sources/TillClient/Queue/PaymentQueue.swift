public import FoundationEssentials
// Payment, Transaction, Product and TillError are part of this library's interface.
@_exported public import TillModel
import TillWire

/// The payment queue of an application, kept by the daemon.
///
/// Make one and keep it; any task may call any method at any time. The queue connects when it is first used, and
/// reconnects when the connection is lost. Calls without an answer are retried with the same identity, which is safe,
/// and ``changes`` resumes where it stopped.
public final class PaymentQueue: Sendable {
    public let configuration: ClientConfiguration
    let finished = FinishedTransactions()
    let connector: DaemonConnector

    public init(_ configuration: ClientConfiguration) {
        self.configuration = configuration
        connector = DaemonConnector(configuration)
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

    func call<Request: Call>(_ request: Request) async throws(TillError) -> Request.Response {
        try await connector.call(request)
    }
}

/// The status of a daemon.
public struct DaemonStatus: Hashable, Sendable {
    /// The daemon's name and version.
    public var server: String
    public var protocolVersion: Int
    /// The account that pays, and that owns this queue.
    public var account: String
    public var ledgerID: UUID
    /// Whether the daemon would store a payment now.
    public var isServing: Bool
}

extension PaymentQueue {
    public func status() async throws(TillError) -> DaemonStatus {
        let health = try await call(HealthCheckRequest())
        let hello = try await connector.connection.session(until: .now + configuration.callTimeout).hello
        return DaemonStatus(
            server: hello.server,
            protocolVersion: Int(hello.protocolVersion),
            account: hello.account,
            ledgerID: hello.ledgerID,
            isServing: health.status == .serving
        )
    }
}
