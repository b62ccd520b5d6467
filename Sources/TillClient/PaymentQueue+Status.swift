public import FoundationEssentials
public import TillModel
import TillWire

/// What a daemon says of itself.
public struct DaemonStatus: Hashable, Sendable {
    /// Its name and version.
    public var server: String
    public var protocolVersion: Int
    /// Who pays: whose queue this is.
    public var account: String
    public var ledgerID: UUID
    /// Whether it would store a payment now.
    public var isServing: Bool
}

extension PaymentQueue {
    public func status() async throws(TillError) -> DaemonStatus {
        let health: HealthCheckResponse = try await connector.call(
            HealthMethod.service,
            HealthMethod.check.rawValue,
            HealthCheckRequest(service: "")
        )
        let hello = try await connector.session(until: .now + configuration.callTimeout).hello
        return DaemonStatus(
            server: hello.server,
            protocolVersion: Int(hello.protocolVersion),
            account: hello.account,
            ledgerID: hello.ledgerID,
            isServing: health.status == .serving
        )
    }
}
