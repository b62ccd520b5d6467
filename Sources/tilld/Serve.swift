import ArgumentParser
import CoreMetrics
import Foundation
import Logging
import ServiceLifecycle
import TillDaemon
import TillMetrics
import TillModel

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve applications until SIGTERM or SIGINT (default)."
    )

    @OptionGroup var options: ServeOptions

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let logger = makeLogger(environment)
        let configuration = try options.configuration()
        let registry = MetricsRegistry()
        // For libraries that record metrics. Those that the table does not have are counted and dropped.
        MetricsSystem.bootstrap(registry)
        let daemon: Daemon
        do {
            try StopSignals.listen()
            let systemd = Systemd(environment: environment)
            daemon = try await Daemon(configuration, registry: registry, systemd: systemd, logger: logger)
        } catch let fault as ConfigurationFault {
            throw Failure(configuration: fault.error)
        } catch let error as TillError {
            throw Failure(error)
        }
        logger.notice("Serving", metadata: ["socket.path": "\(configuration.socketPath)"])
        try await serve(daemon, logger)
    }

    private func serve(_ daemon: Daemon, _ logger: Logger) async throws {
        var configuration = ServiceGroupConfiguration(
            services: daemon.services.map {
                .init(
                    service: $0,
                    successTerminationBehavior: .gracefullyShutdownGroup,
                    failureTerminationBehavior: .gracefullyShutdownGroup
                )
            },
            logger: logger
        )
        // Active calls have their grace period; then the engine has the rest of the time to store their results.
        configuration.maximumGracefulShutdownDuration = .seconds(30)
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch {
            logger.critical("Stopped", metadata: ["error": "\(error)"])
            throw Failure(stopped: error)
        }
        logger.notice("Stopped")
    }

    private func makeLogger(_ environment: [String: String]) -> Logger {
        LoggingSystem.bootstrap { [format = options.logFormat] label in
            PlainLogHandler(LineLogHandler(label: label, format: format, environment: environment))
        }
        var logger = Logger(label: "tilld")
        logger.logLevel = options.logLevel
        return logger
    }
}
