import TTRPC
import TillEngine
import TillModel
import TillWire

extension TillService {
    /// What the daemon's own services are called.
    package static let services = [
        PaymentQueueMethod.service, ProductsMethod.service, DownloadsMethod.service, ReceiptsMethod.service,
        AuthorizationMethod.service, OperatorMethod.service,
    ]

    /// The standard health check, for anyone who can connect.
    func addHealth(to table: inout SessionMethods) {
        table.immediate(HealthMethod.service, HealthMethod.check.rawValue) { (_, request: HealthCheckRequest) in
            guard request.service.isEmpty || Self.services.contains(request.service) else {
                throw TillError(.notFound, "There is no service of this name here.")
            }
            return HealthCheckResponse(status: engine.isServing ? .serving : .notServing)
        }
    }
}
