import Logging
import TillEngine
import TillModel
import TillPostgres
import TillSQLite

/// The daemon's ledger, where the configuration keeps it.
enum OpenLedger: Sendable {
    /// In a file of the state directory.
    case file(SQLiteLedger)
    /// In a database, which only this daemon or several hosts use.
    case database(PostgresLedger)

    /// How long a start waits for a database that cannot be reached.
    static let databasePatience = Duration.seconds(30)
    /// Between two attempts to reach it.
    private static let databasePause = Duration.seconds(1)

    /// Opens the ledger, or creates it at the first start.
    ///
    /// - Throws: `failedPrecondition` if the state directory has a ledger of its own although another is named, unless that is
    ///   where its ledger was moved; ``ConfigurationFault`` for a host whose ledger is a file.
    static func open(_ configuration: DaemonConfiguration, in state: StateDirectory, _ logger: Logger) async throws
        -> OpenLedger
    {
        guard let address = configuration.ledgerAddress else {
            try HostSetup.requireNone(configuration)
            return .file(try file(at: state.ledgerPath, logger))
        }
        let moved = state.hasLedger ? try SQLiteLedger.whereMoved(path: state.ledgerPath) : nil
        guard !state.hasLedger || moved != nil else {
            throw TillError(
                .failedPrecondition,
                "The state directory \(state.path) has a ledger of its own: leave out --ledger, or name another state directory."
            )
        }
        let ledger = try await database(at: address, HostSetup.use(configuration), logger)
        if let moved, moved.id != ledger.id {
            await ledger.close()
            throw TillError(
                .failedPrecondition,
                """
                The ledger of the state directory \(state.path) was moved to \(moved.place), and --ledger names another one: \
                use that address, or another state directory.
                """
            )
        }
        return .database(ledger)
    }

    private static func database(at address: PostgresAddress, _ use: LedgerUse, _ logger: Logger) async throws
        -> PostgresLedger
    {
        let end = ContinuousClock.now + databasePatience
        while true {
            do {
                return try PostgresLedger(address: address.text, use: use, logger: logger)
            } catch {
                // It could be lost as soon as it was reached.
                let error = error as? TillError ?? TillError(.unavailable, "\(error)")
                guard error.code == .unavailable, ContinuousClock.now < end else {
                    throw error
                }
                logger.warning("The daemon waits for its database", metadata: ["error": "\(error.message)"])
                try await Task.sleep(for: databasePause)
            }
        }
    }

    private static func file(at path: String, _ logger: Logger) throws(TillError) -> SQLiteLedger {
        do {
            return try SQLiteLedger(path: path, logger: logger)
        } catch let error as TillError {
            throw error
        } catch {
            throw TillError(.failedPrecondition, "Cannot open the ledger at \(path).", cause: error)
        }
    }

    var ledger: any Ledger {
        switch self {
        case .file(let ledger): ledger
        case .database(let ledger): ledger
        }
    }

    /// Nil unless the ledger is in a file.
    var file: SQLiteLedger? {
        switch self {
        case .file(let ledger): ledger
        case .database: nil
        }
    }

    /// Maintains the file. Returns when its task is cancelled.
    func run() async throws {
        switch self {
        case .file(let ledger): try await ledger.run()
        case .database:
            let (never, continuation) = AsyncStream.makeStream(of: Never.self, bufferingPolicy: .bufferingNewest(1))
            for await _ in never {}
            continuation.finish()
        }
    }

    func close() async throws {
        switch self {
        case .file(let ledger): try await ledger.close()
        case .database(let ledger): await ledger.close()
        }
    }
}
