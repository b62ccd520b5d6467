import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import Testing

/// Runs `tilld ledger init`, and daemons whose role may change rows alone.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled(if: PostgresCluster.isInstalled, "Debian's package postgresql-15 is not installed")
)
struct DatabaseRoleTests {
    private static let role = "till_daemon"
    private static let parts = ["the tables of version ", "the role till_daemon", "the rights of till_daemon"]

    @Test func aDaemonLivesWithRightsToRowsAlone() async throws {
        try await Self.withCluster { site, cluster in
            let first = try await Self.setUp(cluster, site)
            #expect(first.exit == .status(0) && Self.says("made: ", first), "\(first.lines)")
            let daemon = try await site.startServingDaemon(["--ledger", cluster.address(of: Self.role)])
            for command in Self.life {
                let result = try await site.till(command + ["--application", "org.example.notes"])
                #expect(result.exit == .status(0), "till \(command.joined(separator: " ")): \(result.lines)")
            }
            await daemon.killNow()
            let next = try await site.startServingDaemon(["--ledger", cluster.address(of: Self.role)])
            let books = try await site.till(["reconcile"])
            #expect(books.lines.contains("The ledger and the provider agree: 2 charges compared."), "\(books.lines)")
            let again = try await Self.setUp(cluster, site)
            #expect(again.exit == .status(0) && Self.says("in place: ", again), "\(again.lines)")
            next.signal(SIGTERM)
            #expect(await next.exit() == .status(0))
            #expect(try !site.log().contains("is a superuser"))
        }
    }

    @Test func withoutTablesADaemonNamesTheCommand() async throws {
        try await Self.withCluster { site, cluster in
            _ = try await site.query("CREATE ROLE till_daemon LOGIN", at: cluster.address)
            let daemon = try site.startDaemon(["--ledger", cluster.address(of: Self.role)])
            #expect(await daemon.exit() == .status(EX_CANTCREAT))
            let command = "tilld ledger init --ledger ADDRESS --daemon-role till_daemon"
            #expect(try site.log().contains("may not change that. Run as the owner: \(command)"))
        }
    }

    @Test func theSQLIsPrintedForAnAdministrator() async throws {
        try await Self.withCluster { site, cluster in
            let printed = try await Self.setUp(cluster, site, ["--print-sql"])
            #expect(printed.exit == .status(0))
            #expect(try await Self.setUp(cluster, site, ["--print-sql"]).lines.first == "BEGIN;", "nothing was made")
            _ = try await site.query(printed.lines.joined(separator: "\n"), at: cluster.address)
            let rest = try await Self.setUp(cluster, site)
            #expect(Self.says("in place: ", rest), "\(rest.lines)")
            #expect(try await Self.setUp(cluster, site, ["--print-sql"]).lines == [])
            _ = try await site.startServingDaemon(["--ledger", cluster.address(of: Self.role)])
        }
    }

    @Test func aDaemonOfASuperuserWarns() async throws {
        try await Self.withCluster { site, cluster in
            _ = try await site.startServingDaemon(["--ledger", cluster.address])
            #expect(try site.log().contains("The daemon's role in PostgreSQL is a superuser"))
        }
    }

    @Test(arguments: [
        (["--ledger", "postgresql://till:secret@localhost/till"], EX_DATAERR, "passfile"),
        (["--ledger", "postgresql:///till?host=/nowhere"], EX_TEMPFAIL, "PostgreSQL cannot be reached"),
        (["--daemon-role", "till"], EX_USAGE, "--ledger"),
    ])
    func aCommandThatCannotWorkIsExplained(_ arguments: [String], _ status: Int32, _ words: String) async throws {
        try await Site.with { site in
            let result = try await site.result(of: Binaries.daemon, ["ledger", "init"] + arguments)
            #expect(result.exit == .status(status))
            let text = result.lines.joined()
            #expect(text.contains(words) && !text.contains("secret"), "\(text)")
        }
    }

    /// What applications and operators do with purchases.
    private static let life: [[String]] = {
        let (coins, pro) = (UUID().uuidString, UUID().uuidString)
        return [
            ["buy", TestStore.coins, "--payment-id", coins], ["finish", coins],
            ["buy", TestStore.pro, "--payment-id", pro], ["transactions"], ["finish", pro], ["restore"],
            ["entitlements"], ["refund", pro, "--reason", "A test."], ["why", pro], ["find"],
            ["settings", "set", "ask-to-buy=true", "--reason", "A test."],
            ["settings", "reset", "ask-to-buy", "--reason", "A test."],
            ["clock", "advance", "1d", "--reason", "A test."], ["audit", "verify"], ["export"],
        ]
    }()

    private static func setUp(
        _ cluster: PostgresCluster,
        _ site: Site,
        _ options: [String] = []
    ) async throws -> Site.Result {
        let arguments = ["ledger", "init", "--ledger", cluster.address, "--daemon-role", role]
        return try await site.result(of: Binaries.daemon, arguments + options)
    }

    /// Whether there is one line for each part, which begins with the verb and the part.
    private static func says(_ verb: String, _ result: Site.Result) -> Bool {
        result.lines.count == parts.count && zip(result.lines, parts).allSatisfy { $0.hasPrefix(verb + $1) }
    }

    private static func withCluster(_ body: (Site, PostgresCluster) async throws -> Void) async throws {
        let cluster = try PostgresCluster()
        defer { try? cluster.stop() }
        try await Site.with { try await body($0, cluster) }
    }
}
