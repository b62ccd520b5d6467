import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import Testing
import TillClient

/// A site, and a database for its ledger.
struct MigrationSite {
    /// The result as `--json` prints it.
    struct Moved: Decodable, Equatable {
        struct Table: Decodable, Equatable {
            var rows: Int
            var sha256: String
        }

        var ledger_id: String
        var audit_entries: Int
        var tables: [String: Table]
    }

    let site: Site
    let cluster: PostgresCluster

    static func with(_ body: (MigrationSite) async throws -> Void) async throws {
        let cluster = try PostgresCluster()
        defer { try? cluster.stop() }
        try await Site.with { try await body(MigrationSite(site: $0, cluster: cluster)) }
    }

    var database: String {
        cluster.address
    }

    var ledgerOptions: [String] {
        ["--ledger", database]
    }

    func migrate(from: String, to: String, _ options: [String] = []) async throws -> Site.Result {
        try await site.result(of: Binaries.daemon, Self.arguments(from: from, to: to) + options)
    }

    /// Moves the ledger, which must succeed.
    func moved(from: String, to: String) async throws -> Moved {
        let (exit, lines) = try await migrate(from: from, to: to, ["--json"])
        try #require(exit == .status(0), "\(lines)")
        return try JSONDecoder().decode(Moved.self, from: Data(#require(lines.first).utf8))
    }

    /// Starts a migration whose calls of that name, or those about the files, meet a fault.
    func migrate(
        from: String,
        to: String,
        with fault: String,
        of call: String,
        paths: [String] = []
    ) async throws -> ChildProcess.Exit {
        let tracer = Tracer(calls: [call], fault: fault)
        let command = tracer.command(log: site.path("calls.log"), paths: paths)
        let arguments = command.dropFirst() + [Binaries.daemon] + Self.arguments(from: from, to: to)
        let process = try site.start("migrate", command[0], Array(arguments), log: "migrations.log")
        return await process.exit(within: .seconds(120))
    }

    /// Removes a ledger that was moved.
    func removeLedger(_ place: String) async throws {
        guard place == database else {
            return try FileManager.default.removeItem(atPath: site.ledger)
        }
        let statement = "DROP SCHEMA till CASCADE"
        let (exit, lines) = try await site.result(of: "/usr/bin/psql", [database, "--quiet", "--command", statement])
        try #require(exit == .status(0), "\(lines)")
    }

    /// Starts a daemon that must refuse to start.
    func expectRefusal(_ options: [String], state: String? = nil, _ words: String) async throws {
        let before = try site.log().count
        let daemon = try site.startDaemon(options, state: state)
        #expect(await daemon.exit() == .status(EX_CANTCREAT))
        let said = try site.log().dropFirst(before)
        #expect(said.contains(words), "\(said)")
    }

    private static func arguments(from: String, to: String) -> [String] {
        ["migrate", "--from", from, "--to", to]
    }
}
