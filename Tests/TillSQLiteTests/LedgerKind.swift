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
    /// PostgreSQL, of a host that may share it.
    case host

    /// PostgreSQL is among them if Debian's package is installed.
    static var allCases: [LedgerKind] {
        PostgresCluster.isInstalled ? [.memory, .sqlite, .postgresql, .host] : [.memory, .sqlite]
    }

    var testDescription: String {
        switch self {
        case .memory: "memory"
        case .sqlite: "SQLite"
        case .postgresql: "PostgreSQL"
        case .host: "a host of PostgreSQL"
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
        case .host:
            try await withPostgresHosts(1) { hosts, _ in try await body(hosts[0]) }
        }
    }
}

/// Where a ledger in PostgreSQL is.
struct PostgresPlace {
    /// The address of the tables' owner, a superuser.
    var address: String
    /// The address of the daemon's role.
    var daemonAddress: String
    /// The daemon's role; nil for the owner's.
    var role: String?
    var schema = PostgresLedger.defaultSchema

    /// A place whose daemon uses the owner's role.
    init(address: String) {
        self.address = address
        daemonAddress = address
    }

    /// A place in a schema of its own, whose daemon may change rows alone.
    init(_ cluster: PostgresCluster, role: String) {
        address = cluster.address
        daemonAddress = cluster.address(of: role)
        self.role = role
        schema = "ledger \(UUID.version7().text)"
    }

    func opened(for use: LedgerUse = .alone, patience: Duration = PostgresLedger.defaultPatience) throws
        -> PostgresLedger
    {
        try PostgresLedger(address: daemonAddress, schema: schema, use: use, patience: patience, logger: .silent)
    }

    func setup(
        versions: [[String]] = PostgresSchema.versions,
        applicationRoles: [ApplicationRole] = []
    ) throws -> LedgerSetup {
        try LedgerSetup(
            address: address,
            schema: schema,
            daemonRole: role,
            applicationRoles: applicationRoles,
            versions: versions
        )
    }

    /// A session of the owner's.
    func session() throws -> PostgresConnection {
        try PostgresConnection(to: address, schema: schema)
    }

    /// Ends a session, as the server does with one that was paused within a commit.
    func endSession(ofProcess process: Int64) throws {
        try session().execute("SELECT pg_terminate_backend(\(process))")
    }

    /// The daemon's role on this process's server. It is made once, because tests run at the same time.
    fileprivate static let daemonRole = Result {
        let name = "till_daemon"
        try PostgresPlace(address: PostgresCluster.shared.get().address).session().execute("CREATE ROLE \(name) LOGIN")
        return name
    }
}

extension PostgresCluster {
    /// The settings for ``statements(ofProcess:)``.
    static let loggingStatements = ["log_min_messages=log", "log_statement=all", "log_line_prefix=%p "]

    /// The prepared statements that the server's process has run, in order.
    func statements(ofProcess process: Int64) throws -> [Substring] {
        try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").compactMap { line in
            line.firstMatch(of: #/^([0-9]+) LOG:  execute \w+: (.*)/#).flatMap {
                $0.output.1 == "\(process)" ? $0.output.2 : nil
            }
        }
    }
}

/// Runs `body` with a schema of its own that has no tables yet, and removes that afterwards.
func withPostgresPlace(_ body: (PostgresPlace) async throws -> Void) async throws {
    let place = PostgresPlace(try PostgresCluster.shared.get(), role: try PostgresPlace.daemonRole.get())
    try await body(place)
    try place.session().execute("DROP SCHEMA IF EXISTS \"\(place.schema)\" CASCADE")
}

/// Runs `body` on a new ledger in a schema of its own.
///
/// - Parameter applicationRoles: The roles that may finish transactions.
func withPostgresLedger(
    applicationRoles: [ApplicationRole] = [],
    _ body: (PostgresLedger, PostgresPlace) async throws -> Void
) async throws {
    try await withPostgresPlace { place in
        try place.setup(applicationRoles: applicationRoles).run()
        let ledger = try place.opened()
        try await body(ledger, place)
        await ledger.close()
    }
}

/// Runs `body` with the ledgers of so many hosts, `a`, `b` and so on, in one new schema.
func withPostgresHosts(_ count: Int, _ body: ([PostgresLedger], PostgresPlace) async throws -> Void) async throws {
    try await withPostgresPlace { place in
        try place.setup().run()
        let ledgers = try "abcdefgh".prefix(count).map {
            try place.opened(for: .host(HostIdentity(name: String($0))))
        }
        try await body(ledgers, place)
        for ledger in ledgers {
            await ledger.close()
        }
    }
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
