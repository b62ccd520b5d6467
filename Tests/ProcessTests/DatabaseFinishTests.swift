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
    @Test func theDaemonTakesAFinishedTransactionOutOfItsQueue() async throws {
        try await DatabaseShop.with { shop in
            let daemon = try await shop.startDaemon()
            let payment = try await Self.buy(shop)
            #expect(try await Self.finish(payment, shop) == ["t"])
            #expect(try await Self.finish(payment, shop) == ["f"])
            while try await shop.till(["transactions"]).lines.contains(where: { $0.contains(payment) }) {
                await Alarm.after(.milliseconds(20))
            }
            #expect(try await shop.till(["finish", payment]).exit == .status(0), "finishing again is harmless")
            let audit = try await shop.till(["why", payment])
            #expect(audit.lines.contains { $0.contains("finished") }, "\(audit.lines)")
            daemon.signal(SIGTERM)
            #expect(await daemon.exit() == .status(0))
        }
    }

    @Test func whatWasFinishedWithoutADaemonIsNotDelivered() async throws {
        try await DatabaseShop.with { shop in
            let daemon = try await shop.startDaemon()
            let (finished, kept) = (try await Self.buy(shop), try await Self.buy(shop))
            await daemon.killNow()
            #expect(try await Self.finish(finished, shop) == ["t"])
            _ = try await shop.startDaemon()
            let site = shop.site
            let watch = ["--socket", site.socket] + DatabaseShop.application + ["watch"]
            _ = try site.start("till", Binaries.command, watch, log: "watch.log")
            while try !String(contentsOfFile: site.path("watch.log"), encoding: .utf8).contains(kept) {
                await Alarm.after(.milliseconds(20))
            }
            #expect(try !String(contentsOfFile: site.path("watch.log"), encoding: .utf8).contains(finished))
        }
    }

    /// Only finished purchases are restored, so that one which the application still has is not delivered twice.
    @Test func aRestoreKnowsWhatWasFinishedJustBefore() async throws {
        try await DatabaseShop.with { shop in
            _ = try await shop.startDaemon()
            let payment = try await Self.buy(shop, TestStore.pro)
            #expect(try await Self.finish(payment, shop) == ["t"])
            let restored = try await shop.till(["restore"])
            #expect(restored.lines.contains { $0.contains(TestStore.pro) }, "\(restored.lines)")
        }
    }

    @Test func aFinishThroughTheDaemonDoesNotWaitForAnApplication() async throws {
        try await DatabaseShop.with { shop in
            _ = try await shop.startDaemon()
            let payment = try await Self.buy(shop)
            let sleeper = try shop.startQuery("BEGIN; \(Self.call(payment)); SELECT pg_sleep(600)")
            let sleeping = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
            while try await shop.query(sleeping, as: shop.cluster.address) == ["0"] {
                await Alarm.after(.milliseconds(20))
            }
            let refused = try await shop.till(["finish", payment])
            #expect(refused.exit == .status(EX_DATAERR))
            let words = "finishes the transaction \(payment) in the database"
            #expect(refused.lines.contains { $0.contains(words) }, "\(refused.lines)")
            #expect(try await shop.till(["buy", TestStore.coins]).exit == .status(0), "others go on")
            await sleeper.killNow()
            let others = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
            #expect(try await shop.query(others, as: shop.cluster.address) == ["1"])
            while try await shop.till(["finish", payment]).exit != .status(0) {
                await Alarm.after(.milliseconds(20))
            }
            #expect(try await Self.finish(payment, shop) == ["f"])
        }
    }

    /// What the application stores and the finish are one transaction.
    @Test func aGrantAndItsFinishHappenTogether() async throws {
        try await DatabaseShop.with { shop in
            _ = try await shop.startDaemon()
            let payment = try await Self.buy(shop)
            let grant = "INSERT INTO shop.grants SELECT '\(payment)' WHERE till.finish('\(payment)')"
            _ = try await shop.query("BEGIN; \(grant); ROLLBACK")
            #expect(try await shop.query("SELECT count(*) FROM shop.grants") == ["0"])
            #expect(try await shop.till(["transactions"]).lines.contains { $0.contains(payment) })
            for _ in 0..<2 {
                _ = try await shop.query(grant)
                #expect(try await shop.query("SELECT count(*) FROM shop.grants") == ["1"])
            }
        }
    }

    private static func call(_ payment: String) -> String {
        "SELECT till.finish('\(payment)')"
    }

    /// What the function returns, as psql prints it.
    private static func finish(_ payment: String, _ shop: DatabaseShop) async throws -> [String] {
        try await shop.query(call(payment))
    }

    /// - Returns: The payment's identity.
    private static func buy(_ shop: DatabaseShop, _ product: String = TestStore.coins) async throws -> String {
        let payment = UUID().uuidString.lowercased()
        let bought = try await shop.till(["buy", product, "--payment-id", payment])
        #expect(bought.exit == .status(0), "\(bought.lines)")
        return payment
    }
}
