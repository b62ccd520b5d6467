package import TTRPC
package import TillEngine
package import TillModel
import TillWire

/// The services of a daemon: each method is one call of the engine.
package struct TillService: Sendable {
    /// The maximum number of capabilities that a Hello may name.
    package static let capabilitiesMaximum = 64

    let engine: PaymentEngine
    let policy: AccessPolicy
    /// Nil for a ledger that is not in a file.
    let backups: (any BackupSource)?
    /// The daemon's name and version, for Hello.
    let server: String
    /// Nil without an operator page.
    let console: ConsoleDoor?
    /// The values of the daemon's metrics, for operators.
    let metrics: @Sendable () async -> [MetricSample]
    private var methods = SessionMethods()

    package init(
        engine: PaymentEngine,
        policy: AccessPolicy,
        backups: (any BackupSource)? = nil,
        server: String,
        console: ConsoleDoor? = nil,
        metrics: @escaping @Sendable () async -> [MetricSample] = { [] }
    ) {
        self.engine = engine
        self.policy = policy
        self.backups = backups
        self.server = server
        self.console = console
        self.metrics = metrics
        methods = makeMethods()
    }

    /// The methods, each as its service, a slash and its name.
    package var methodPaths: Set<String> {
        methods.paths
    }

    /// The methods of one connection, whose process was not examined.
    package func methods(for peer: Peer) -> MethodTable {
        methods(for: Caller(peer))
    }

    /// The methods of one connection.
    package func methods(for caller: Caller) -> MethodTable {
        methods.table(for: ClientSession(caller: caller, policy: policy))
    }

    private func makeMethods() -> SessionMethods {
        var table = SessionMethods()
        addPaymentQueue(to: &table)
        addProducts(to: &table)
        addDownloads(to: &table)
        addReceipts(to: &table)
        addAuthorization(to: &table)
        addPaymentMethods(to: &table)
        addOperator(to: &table)
        addHealth(to: &table)
        return table
    }
}

extension RPCError {
    /// The error that a peer receives, without its cause.
    init(answering error: any Error) {
        switch error {
        case let error as RPCError:
            self = error
        case let error as TillError:
            self.init(code: RPCStatusCode(rawValue: error.code.rawValue), message: error.message)
        case is CancellationError:
            self.init(code: .cancelled, message: "The call was cancelled.")
        default:
            self.init(code: .internalError, message: "The daemon failed to answer; its log says more.")
        }
    }
}

extension TillService {
    /// The names of the daemon's own services.
    package static let services = [
        PaymentQueueMethod.service, ProductsMethod.service, DownloadsMethod.service, ReceiptsMethod.service,
        AuthorizationMethod.service, PaymentMethodsMethod.service, OperatorMethod.service,
    ]

    /// The standard health check, for anyone who can connect.
    func addHealth(to table: inout SessionMethods) {
        table.immediate { (_, request: HealthCheckRequest) in
            guard request.service.isEmpty || Self.services.contains(request.service) else {
                throw TillError(.notFound, "There is no service of this name.")
            }
            return HealthCheckResponse(status: engine.isServing ? .serving : .notServing)
        }
    }
}
