import FaultRuns
import Foundation
import ProcessTesting
import Testing

/// A daemon's ledger in PostgreSQL, and an application that keeps its data in the same database: a role, and a table of grants.
struct DatabaseShop: Sendable {
    static let application = ["--application", "org.example.notes"]
    private static let daemonRole = "till_daemon"
    private static let role = "shop"

    let site: Site
    let cluster: PostgresCluster

    /// Runs `body` with a new database, which has a ledger. No daemon runs yet.
    static func with(_ body: (DatabaseShop) async throws -> Void) async throws {
        let cluster = try PostgresCluster()
        defer { try? cluster.stop() }
        try await Site.with { site in
            let made = try await site.result(
                of: Binaries.daemon,
                ["ledger", "init", "--ledger", cluster.address, "--daemon-role", daemonRole]
                    + ["--application-role", "\(role)=org.example.notes"]
            )
            #expect(made.exit == .status(0) && made.lines.last?.contains("right of shop") == true, "\(made.lines)")
            let shop = DatabaseShop(site: site, cluster: cluster)
            let tables = "CREATE SCHEMA shop AUTHORIZATION shop; SET ROLE shop; CREATE TABLE shop.grants (payment uuid)"
            _ = try await shop.query(tables, as: cluster.address)
            try await body(shop)
        }
    }

    func startDaemon() async throws -> ChildProcess {
        try await site.startServingDaemon(["--ledger", cluster.address(of: Self.daemonRole)])
    }

    func till(_ command: [String]) async throws -> Site.Result {
        try await site.till(command + Self.application)
    }

    /// The rows of a query, as psql prints them.
    ///
    /// - Parameter address: Whose session it is; nil for the application's.
    func query(_ sql: String, as address: String? = nil) async throws -> [String] {
        try await site.query(sql, at: address ?? cluster.address(of: Self.role))
    }

    /// Starts a query of the application's.
    func startQuery(_ sql: String) throws -> ChildProcess {
        try site.startQuery(sql, at: cluster.address(of: Self.role))
    }
}
