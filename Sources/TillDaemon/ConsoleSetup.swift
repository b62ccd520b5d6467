import Logging
import ServiceLifecycle
import TillConsole
import TillEngine
import TillModel
import TillService

/// The operator page of a daemon that serves one.
struct ConsoleSetup: Sendable {
    let address: LocalAddress
    let sessions = ConsoleSessions()

    /// Invites operators.
    var door: ConsoleDoor {
        ConsoleDoor { [address, sessions] uid, isReadOnly in
            ConsoleInvitation(
                address: "\(address)",
                secret: sessions.invite(ConsoleSessions.Session(uid: uid, isReadOnly: isReadOnly)),
                validFor: .seconds(ConsoleSessions.invitationTime)
            )
        }
    }

    /// Listens from now on; the service ends that.
    ///
    /// - Throws: `failedPrecondition` if the address cannot be used.
    func service(
        _ engine: PaymentEngine,
        _ metrics: MetricsReport,
        logger: Logger
    ) async throws(TillError) -> ConsoleService {
        var port: Int?
        if case .loopback(_, let number) = address {
            port = number
        }
        let listener = ConsoleListener(
            engine,
            sessions: sessions,
            port: port,
            metrics: ConsoleMetrics(text: { await metrics.text() }, samples: { await metrics.samples() }),
            logger: logger
        )
        // A reverse proxy is another user. Any client needs an invitation, which only operators get.
        let local = try LocalListener(address, isOpenToOthers: true, logger: logger)
        try await listener.listen(at: local.place)
        logger.notice("Serving the operator page", metadata: ["console.address": "\(address)"])
        return ConsoleService(listener: listener, local: local)
    }
}

/// Serves the operator page, and removes the socket's name when the service stops.
struct ConsoleService: DaemonService {
    let listener: ConsoleListener
    let local: LocalListener

    func run() async {
        await cancelWhenGracefulShutdown { await listener.run() }
        local.remove()
    }
}
