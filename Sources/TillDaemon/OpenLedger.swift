import Logging
import TillEngine
import TillModel
import TillPostgres
import TillSQLite

/// The daemon's ledger, where the configuration keeps it.
enum OpenLedger: Sendable {
    /// In a file of the state directory.
    case file(SQLiteLedger)
    /// In a database, which only this daemon uses.
    case database(PostgresLedger)

    /// Opens the ledger, or creates it if there is none.
    ///
    /// - Throws: `failedPrecondition` if the state directory has a ledger of its own although another is named.
    init(_ configuration: DaemonConfiguration, in state: StateDirectory, _ logger: Logger) throws(TillError) {
        guard let address = configuration.ledgerAddress else {
            self = .file(
                try Self.explained("at \(state.ledgerPath)") {
                    try SQLiteLedger(path: state.ledgerPath, logger: logger)
                }
            )
            return
        }
        guard !state.hasLedger else {
            throw TillError(
                .failedPrecondition,
                "The state directory \(state.path) has a ledger of its own: leave out --ledger, or name another state directory."
            )
        }
        self = .database(
            try Self.explained("in PostgreSQL") { try PostgresLedger(address: address.text, logger: logger) }
        )
    }

    private static func explained<Value>(_ place: String, _ open: () throws -> Value) throws(TillError) -> Value {
        do {
            return try open()
        } catch let error as TillError {
            throw error
        } catch {
            throw TillError(.failedPrecondition, "Cannot open the ledger \(place).", cause: error)
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
