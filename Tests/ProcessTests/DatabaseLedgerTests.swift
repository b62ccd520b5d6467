import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import Testing

/// Runs real daemons with a ledger in PostgreSQL.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled(if: PostgresCluster.isInstalled, "Debian's package postgresql-15 is not installed")
)
struct DatabaseLedgerTests {
    private static let application = ["--application", "org.example.notes"]

    @Test func aDaemonThatIsKilledLosesNoPurchaseAndChargesOnce() async throws {
        try await Self.withDatabase { site, ledger in
            let payments = (0..<3).map { _ in UUID().uuidString }
            for payment in payments {
                let daemon = try await site.startServingDaemon(ledger)
                let bought = try await Self.buy(payment, site)
                #expect(bought.exit == .status(0), "\(bought.lines)")
                await daemon.killNow()
            }
            let daemon = try await site.startServingDaemon(ledger)
            for payment in payments {
                let again = try await Self.buy(payment, site)
                #expect(again.exit == .status(0) && again.lines.contains { $0.contains("purchased") }, "\(again.lines)")
            }
            try await Self.requireAgreement(onCharges: payments.count, site)
            daemon.signal(SIGTERM)
            #expect(await daemon.exit() == .status(0))
        }
    }

    @Test func aSecondDaemonIsRefusedUntilTheFirstHasEnded() async throws {
        try await Self.withDatabase { site, ledger in
            let first = try await site.startServingDaemon(ledger)
            let options = (state: site.path("state2"), socket: site.path("second.sock"))
            let second = try site.startDaemon(ledger, state: options.state, socket: options.socket)
            #expect(await second.exit() == .status(EX_CANTCREAT))
            #expect(try site.log().contains("Another daemon uses the ledger"))
            await first.killNow()
            _ = try site.startDaemon(ledger, state: options.state, socket: options.socket)
            try await site.waitUntilServing(at: options.socket)
        }
    }

    @Test func aDaemonOutlastsACrashOfItsDatabase() async throws {
        let cluster = try PostgresCluster()
        defer { try? cluster.stop() }
        try await Site.with { site in
            let daemon = try await site.startServingDaemon(["--ledger", cluster.address])
            #expect(try await Self.buy(UUID().uuidString, site).exit == .status(0))
            try cluster.crash()
            async let bought = Self.buy(UUID().uuidString, site)
            try cluster.start()
            let answer = try await bought
            #expect(answer.exit == .status(0), "\(answer.lines)")
            try await Self.requireAgreement(onCharges: 2, site)
            daemon.signal(SIGTERM)
            #expect(await daemon.exit() == .status(0))
        }
    }

    @Test func aDaemonGoesOnWithTheStandbyOfItsDatabase() async throws {
        let primary = try PostgresCluster(settings: ["synchronous_standby_names=*"])
        let standby = try PostgresCluster(standbyOf: primary)
        defer { try? standby.stop() }
        try await Site.with { site in
            _ = try await site.startServingDaemon(["--ledger", PostgresCluster.address(of: [primary, standby])])
            #expect(try await Self.buy(UUID().uuidString, site).exit == .status(0))
            try primary.stop()
            async let bought = Self.buy(UUID().uuidString, site)
            try standby.promote()
            let answer = try await bought
            #expect(answer.exit == .status(0), "\(answer.lines)")
            try await Self.requireAgreement(onCharges: 2, site)
        }
    }

    /// It cannot know what the database keeps, so it ends, and its service manager starts it again.
    @Test func aDaemonEndsWithItsDatabase() async throws {
        let cluster = try PostgresCluster()
        try await Site.with { site in
            let daemon = try await site.startServingDaemon(["--ledger", cluster.address])
            try cluster.stop()
            #expect(await daemon.exit() == .status(EX_IOERR))
            #expect(try site.log().contains("The connection to PostgreSQL is lost"))
            let next = try site.startDaemon(["--ledger", cluster.address])
            #expect(await next.exit() == .status(EX_TEMPFAIL))
            #expect(try site.log().contains("PostgreSQL cannot be reached"))
        }
    }

    /// As at the boot of a machine that has both.
    @Test func aDaemonThatStartsBeforeItsDatabaseWaitsForIt() async throws {
        let directory = PostgresCluster.newDirectory()
        try await Site.with { site in
            let daemon = try site.startDaemon(["--ledger", PostgresCluster.address(in: directory)])
            try await site.waitUntilLogged("The daemon waits for its database")
            let cluster = try PostgresCluster(in: directory)
            defer { try? cluster.stop() }
            try await site.waitUntilServing()
            let bought = try await Self.buy(UUID().uuidString, site)
            #expect(bought.exit == .status(0), "\(bought.lines)")
            await daemon.killNow()
        }
    }

    /// As when a test's daemon is started with the address of the real books.
    @Test func aLedgerOfAnotherProviderIsRefusedByItsDatabase() async throws {
        try await Self.withDatabase { site, ledger in
            await (try await site.startServingDaemon(ledger)).killNow()
            let sql = "INSERT INTO till.settings (name, value) VALUES ('provider', 'stripe:live:acct_1')"
            let psql = try await site.result(of: "/usr/bin/psql", [ledger[1], "--quiet", "--command", sql])
            #expect(psql.exit == .status(0), "\(psql.lines)")
            let daemon = try site.startDaemon(ledger)
            #expect(await daemon.exit() == .status(EX_CONFIG))
            let other = "The ledger in \(ledger[1]) belongs to the provider stripe (live mode, account acct_1)"
            let sentence = "\(other), not to the provider simulated: use another database."
            #expect(try site.log().contains(sentence))
        }
    }

    /// A statement that damages a ledger, and what the check says of it.
    @Test(arguments: [
        ("SELECT 1", ""),
        ("UPDATE till.transactions SET place = 3", "disagrees with its columns"),
        ("DELETE FROM till.marks", "disagrees with its marks"),
        ("UPDATE till.transactions SET detail = ''", "disagrees with its columns"),
        ("UPDATE till.audit SET reason = 'Another one.'", "The audit log was changed from entry 1 on."),
        ("UPDATE till.transactions SET receipt = substring(receipt FOR 9)", "see its column receipt."),
    ])
    func aCheckReadsTheWholeLedger(_ statement: String, _ words: String) async throws {
        try await Self.withDatabase { site, ledger in
            let daemon = try await site.startServingDaemon(ledger)
            let bought = try await site.till(["buy", TestStore.pro] + Self.application)
            #expect(bought.exit == .status(0), "\(bought.lines)")
            let changed = try await site.till(["settings", "set", "ask-to-buy=true", "--reason", "A test."])
            #expect(changed.exit == .status(0), "\(changed.lines)")
            daemon.signal(SIGTERM)
            #expect(await daemon.exit() == .status(0))
            let psql = try await site.result(of: "/usr/bin/psql", [ledger[1], "--quiet", "--command", statement])
            #expect(psql.exit == .status(0), "\(psql.lines)")
            let check = try await site.result(of: Binaries.daemon, ["check", "--state", site.state] + ledger)
            #expect(check.exit == .status(words.isEmpty ? 0 : 1), "\(check.lines)")
            #expect(words.isEmpty || check.lines.contains { $0.contains(words) }, "\(check.lines)")
            #expect(check.lines.contains { $0.hasPrefix("transactions: 1 transactions read") }, "\(check.lines)")
        }
    }

    @Test(arguments: [
        ("/nowhere", EX_CANTCREAT, "There is no directory"), ("", EX_CANTCREAT, "There is no ledger in postgresql"),
    ])
    func aCheckWithoutALedgerIsExplained(_ state: String, _ status: Int32, _ words: String) async throws {
        try await Self.withDatabase { site, ledger in
            if state.isEmpty {
                await (try await site.startServingDaemon()).killNow()
            }
            let place = state.isEmpty ? site.state : state
            let check = try await site.result(of: Binaries.daemon, ["check", "--state", place] + ledger)
            #expect(check.exit == .status(status) && check.lines.joined().contains(words), "\(check.lines)")
        }
    }

    @Test func aBackupIsLeftToTheDatabase() async throws {
        try await Self.withDatabase { site, ledger in
            _ = try await site.startServingDaemon(ledger)
            let refused = try await site.till(["backup", site.backup])
            #expect(refused.exit != .status(0))
            #expect(refused.lines.contains { $0.contains("PostgreSQL") }, "\(refused.lines)")
        }
    }

    @Test func aStateDirectoryWithALedgerOfItsOwnIsRefused() async throws {
        try await Self.withDatabase { site, ledger in
            await (try await site.startServingDaemon()).killNow()
            let daemon = try site.startDaemon(ledger)
            #expect(await daemon.exit() == .status(EX_CANTCREAT))
            #expect(try site.log().contains("has a ledger of its own"))
        }
    }

    /// libpq takes from its variables what the address lacks.
    @Test func aVariableDoesNotLeadToAnotherMachine() async throws {
        try await Site.with { site in
            let daemon = try site.startDaemon(
                ["--ledger", "postgresql:///till"],
                environment: ["PGHOST": "db.example.com"]
            )
            #expect(await daemon.exit() == .status(EX_CONFIG))
            #expect(try site.log().contains("sslmode=verify-full"))
        }
    }

    private static func buy(_ payment: String, _ site: Site) async throws -> Site.Result {
        try await site.till(["buy", TestStore.coins, "--payment-id", payment] + application)
    }

    private static func requireAgreement(onCharges count: Int, _ site: Site) async throws {
        let books = try await site.till(["reconcile"] + application)
        #expect(books.lines.contains("The ledger and the provider agree: \(count) charges compared."), "\(books.lines)")
    }

    /// Runs `body` with a site and the options that name a database of its own.
    private static func withDatabase(_ body: (Site, [String]) async throws -> Void) async throws {
        let cluster = try PostgresCluster()
        defer { try? cluster.stop() }
        try await Site.with { try await body($0, ["--ledger", cluster.address]) }
    }
}
