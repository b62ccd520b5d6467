import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import Testing

/// Finishes transactions in the database of a real daemon's ledger, as applications that keep their data there do.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled(if: PostgresCluster.isInstalled, "Debian's package postgresql-15 is not installed")
)
struct DatabaseFinishTests {
    private static let application = ["--application", "org.example.notes"]
    private static let daemonRole = "till_daemon"
    private static let shopRole = "shop"

    @Test func theDaemonTakesAFinishedTransactionOutOfItsQueue() async throws {
        try await Self.withShop { site, cluster in
            let daemon = try await Self.startDaemon(site, cluster)
            let payment = try await Self.buy(site)
            #expect(try await Self.finish(payment, cluster, site) == ["t"])
            #expect(try await Self.finish(payment, cluster, site) == ["f"])
            while try await Self.till(["transactions"], site).lines.contains(where: { $0.contains(payment) }) {
                await Alarm.after(.milliseconds(20))
            }
            #expect(try await Self.till(["finish", payment], site).exit == .status(0), "finishing again is harmless")
            let audit = try await Self.till(["why", payment], site)
            #expect(audit.lines.contains { $0.contains("finished") }, "\(audit.lines)")
            daemon.signal(SIGTERM)
            #expect(await daemon.exit() == .status(0))
        }
    }

    @Test func whatWasFinishedWithoutADaemonIsNotDelivered() async throws {
        try await Self.withShop { site, cluster in
            let daemon = try await Self.startDaemon(site, cluster)
            let (finished, kept) = (try await Self.buy(site), try await Self.buy(site))
            await daemon.killNow()
            #expect(try await Self.finish(finished, cluster, site) == ["t"])
            _ = try await Self.startDaemon(site, cluster)
            let watch = ["--socket", site.socket] + Self.application + ["watch"]
            _ = try site.start("till", Binaries.command, watch, log: "watch.log")
            while try !String(contentsOfFile: site.path("watch.log"), encoding: .utf8).contains(kept) {
                await Alarm.after(.milliseconds(20))
            }
            #expect(try !String(contentsOfFile: site.path("watch.log"), encoding: .utf8).contains(finished))
        }
    }

    /// Only finished purchases are restored, so that one which the application still has is not delivered twice.
    @Test func aRestoreKnowsWhatWasFinishedJustBefore() async throws {
        try await Self.withShop { site, cluster in
            _ = try await Self.startDaemon(site, cluster)
            let payment = try await Self.buy(site, TestStore.pro)
            #expect(try await Self.finish(payment, cluster, site) == ["t"])
            let restored = try await Self.till(["restore"], site)
            #expect(restored.lines.contains { $0.contains(TestStore.pro) }, "\(restored.lines)")
        }
    }

    @Test func aFinishThroughTheDaemonDoesNotWaitForAnApplication() async throws {
        try await Self.withShop { site, cluster in
            _ = try await Self.startDaemon(site, cluster)
            let payment = try await Self.buy(site)
            let sleeper = try site.start(
                "psql",
                Self.psql,
                [
                    cluster.address(of: Self.shopRole), "--command",
                    "BEGIN; \(Self.call(payment)); SELECT pg_sleep(600)",
                ],
                log: "psql.log"
            )
            let sleeping = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
            while try await Self.query(sleeping, cluster.address, site) == ["0"] {
                await Alarm.after(.milliseconds(20))
            }
            let refused = try await Self.till(["finish", payment], site)
            #expect(refused.exit == .status(EX_DATAERR))
            let words = "finishes the transaction \(payment) in the database"
            #expect(refused.lines.contains { $0.contains(words) }, "\(refused.lines)")
            #expect(try await Self.till(["buy", TestStore.coins], site).exit == .status(0), "others go on")
            await sleeper.killNow()
            let others = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
            #expect(try await Self.query(others, cluster.address, site) == ["1"])
            while try await Self.till(["finish", payment], site).exit != .status(0) {
                await Alarm.after(.milliseconds(20))
            }
            #expect(try await Self.finish(payment, cluster, site) == ["f"])
        }
    }

    /// What the application stores and the finish are one transaction.
    @Test func aGrantAndItsFinishHappenTogether() async throws {
        try await Self.withShop { site, cluster in
            _ = try await Self.startDaemon(site, cluster)
            let payment = try await Self.buy(site)
            let address = cluster.address(of: Self.shopRole)
            let grant = "INSERT INTO shop.grants SELECT '\(payment)' WHERE till.finish('\(payment)')"
            _ = try await Self.query("BEGIN; \(grant); ROLLBACK", address, site)
            #expect(try await Self.query("SELECT count(*) FROM shop.grants", address, site) == ["0"])
            #expect(try await Self.till(["transactions"], site).lines.contains { $0.contains(payment) })
            for _ in 0..<2 {
                _ = try await Self.query(grant, address, site)
                #expect(try await Self.query("SELECT count(*) FROM shop.grants", address, site) == ["1"])
            }
        }
    }

    private static let psql = "/usr/bin/psql"

    private static func call(_ payment: String) -> String {
        "SELECT till.finish('\(payment)')"
    }

    /// What the function returns, as psql prints it.
    private static func finish(_ payment: String, _ cluster: PostgresCluster, _ site: Site) async throws -> [String] {
        try await query(call(payment), cluster.address(of: shopRole), site)
    }

    private static func query(_ sql: String, _ address: String, _ site: Site) async throws -> [String] {
        let options = ["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set", "ON_ERROR_STOP=1"]
        let result = try await site.result(of: psql, [address] + options + ["--command", sql])
        #expect(result.exit == .status(0), "\(result.lines)")
        return result.lines
    }

    private static func till(_ command: [String], _ site: Site) async throws -> Site.Result {
        try await site.till(command + application)
    }

    /// - Returns: The payment's identity.
    private static func buy(_ site: Site, _ product: String = TestStore.coins) async throws -> String {
        let payment = UUID().uuidString.lowercased()
        let bought = try await till(["buy", product, "--payment-id", payment], site)
        #expect(bought.exit == .status(0), "\(bought.lines)")
        return payment
    }

    private static func startDaemon(_ site: Site, _ cluster: PostgresCluster) async throws -> ChildProcess {
        try await site.startServingDaemon(["--ledger", cluster.address(of: daemonRole)])
    }

    /// Runs `body` with a database that has a ledger, and a schema of an application that may finish.
    private static func withShop(_ body: (Site, PostgresCluster) async throws -> Void) async throws {
        let cluster = try PostgresCluster()
        defer { try? cluster.stop() }
        try await Site.with { site in
            let made = try await site.result(
                of: Binaries.daemon,
                ["ledger", "init", "--ledger", cluster.address, "--daemon-role", daemonRole]
                    + ["--application-role", "\(shopRole)=org.example.notes"]
            )
            #expect(made.exit == .status(0) && made.lines.last?.contains("right of shop") == true, "\(made.lines)")
            let tables = "CREATE SCHEMA shop AUTHORIZATION shop; SET ROLE shop; CREATE TABLE shop.grants (payment uuid)"
            _ = try await query(tables, cluster.address, site)
            try await body(site, cluster)
        }
    }
}
