import FoundationEssentials
import Logging
import ProcessTesting
import Testing
import TillEngine
import TillMemoryLedger
import TillModel
@testable import TillPostgres
import TillSQLite

/// The ledgers that must all behave alike.
enum LedgerKind: CaseIterable, CustomTestStringConvertible {
    case memory
    case sqlite
    case postgresql

    /// PostgreSQL is among them if Debian's package is installed.
    static var allCases: [LedgerKind] {
        PostgresCluster.isInstalled ? [.memory, .sqlite, .postgresql] : [.memory, .sqlite]
    }

    var testDescription: String {
        switch self {
        case .memory: "memory"
        case .sqlite: "SQLite"
        case .postgresql: "PostgreSQL"
        }
    }

    /// Runs `body` on a new ledger, and removes that afterwards.
    func withLedger(_ body: (any Ledger) async throws -> Void) async throws {
        switch self {
        case .memory:
            try await body(MemoryLedger(id: .version7(), numbering: .plain))
        case .sqlite:
            try await withTemporaryDirectory { directory in
                let ledger = try SQLiteLedger(path: directory + "/ledger", logger: .silent)
                try await body(ledger)
                try await ledger.close()
            }
        case .postgresql:
            try await withPostgresLedger { ledger, _ in try await body(ledger) }
        }
    }
}

/// Where a ledger in PostgreSQL is.
struct PostgresPlace {
    var address: String
    var schema = PostgresLedger.defaultSchema

    func opened(patience: Duration = PostgresLedger.defaultPatience) throws -> PostgresLedger {
        try PostgresLedger(address: address, schema: schema, patience: patience, logger: .silent)
    }

    /// A session of the test's own.
    func session() throws -> PostgresConnection {
        try PostgresConnection(to: address, schema: schema)
    }
}

/// Runs `body` on a new ledger in a schema of its own.
func withPostgresLedger(_ body: (PostgresLedger, PostgresPlace) async throws -> Void) async throws {
    let address = try PostgresCluster.shared.get().address
    let place = PostgresPlace(address: address, schema: "ledger \(UUID.version7().text)")
    let ledger = try place.opened()
    try await body(ledger, place)
    await ledger.close()
    try place.session().execute("DROP SCHEMA \"\(place.schema)\" CASCADE")
}

extension Logger {
    static var silent: Logger {
        Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
    }
}

/// Runs `body` with the path of a new directory, and removes that afterwards.
func withTemporaryDirectory(_ body: (String) async throws -> Void) async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "till-\(UUID.version7().text)").path
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
    do {
        try await body(directory)
    } catch {
        try? FileManager.default.removeItem(atPath: directory)
        throw error
    }
    try FileManager.default.removeItem(atPath: directory)
}
