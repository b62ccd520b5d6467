import FoundationEssentials
import ProcessTesting
import TestValues
import Testing
import TillModel
import TillSQL
import TillSQLite

@testable import TillPostgres

/// Moves a ledger with rows of every kind to a database and back again and again, and kills the command at random moments: what is
/// left is the ledger as it was, or one that the same command finishes moving.
///
/// `TILL_MIGRATION_KILLS` sets the number of kills, with a ledger of 100,000 transactions, and `TILL_TEST_SEED` repeats the
/// choices of a run.
@Suite(
    "Migrations that are killed at random moments",
    .enabled(if: PostgresCluster.isInstalled, "Debian's package postgresql-15 is not installed")
)
struct MigrationRunTests {
    private static let killsVariable = "TILL_MIGRATION_KILLS"

    @Test func everyRowIsAtOnePlaceWheneverAMigrationIsKilled() async throws {
        let environment = ProcessInfo.processInfo.environment
        let given = environment[Self.killsVariable].flatMap { Int($0) }
        var random = SplitMix64(seed: environment["TILL_TEST_SEED"].flatMap { UInt64($0) } ?? .random(in: 0 ... .max))
        print("Migrations: repeat the choices with TILL_TEST_SEED=\(random.seed)")
        let cluster = try PostgresCluster()
        defer { try? cluster.stop() }
        try await Site.with(catalogue: Data()) { site in
            let places = try Places(site, PostgresAddress(cluster.address))
            try await places.makeLedger(transactionCount: given == nil ? MigrationSite.transactionCount : 100_000)
            let original = try places.digests(isFile: true)
            var time = try await places.move(fromFile: true)
            time = max(time, try await places.move(fromFile: false))
            var isFile = true
            var wasUntouched = 0
            for kill in 0..<(given ?? 4) {
                let process = try places.start(fromFile: isFile)
                await Alarm.after(time * Double.random(in: 0...1, using: &random))
                await process.killNow()
                if try places.isUsable(isFile: isFile) {
                    #expect(try places.digests(isFile: isFile) == original, "kill \(kill) left another ledger")
                    wasUntouched += 1
                }
                if try !places.isUsable(isFile: !isFile) {
                    _ = try await places.move(fromFile: isFile)
                }
                isFile.toggle()
                #expect(try places.digests(isFile: isFile) == original, "kill \(kill) lost or changed a row")
                #expect(try !places.isUsable(isFile: !isFile), "two ledgers can be used after kill \(kill)")
            }
            if let given {
                print(
                    "Migrations: \(given) kills, \(wasUntouched) of them before the ledger was moved; each ended with the same rows."
                )
            }
        }
    }
}

/// The two places of a ledger.
private struct Places {
    private let site: Site
    private let address: PostgresAddress

    init(_ site: Site, _ address: PostgresAddress) {
        self.site = site
        self.address = address
    }

    func makeLedger(transactionCount: Int) async throws {
        try FileManager.default.createDirectory(
            atPath: site.state,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        let ledger = try SQLiteLedger(path: site.ledger, logger: .silent)
        try await ledger.fillAllTables(transactionCount: transactionCount)
        try await ledger.close()
    }

    func start(fromFile isFile: Bool) throws -> ChildProcess {
        let (from, to) = isFile ? (site.state, address.text) : (address.text, site.state)
        return try site.start(
            "migrate",
            Binaries.daemon,
            ["migrate", "--from", from, "--to", to],
            log: "migrations.log"
        )
    }

    /// Moves the ledger; returns how long that took.
    func move(fromFile isFile: Bool) async throws -> Duration {
        try await ContinuousClock().measure {
            let end = try await start(fromFile: isFile).exit(within: .seconds(600))
            try #require(end == .status(0), "the migration failed")
        }
    }

    func isUsable(isFile: Bool) throws -> Bool {
        if case .usable = try place(isFile: isFile).standing() { true } else { false }
    }

    func digests(isFile: Bool) throws -> Set<TableDigest> {
        Set(try place(isFile: isFile).digests())
    }

    private func place(isFile: Bool) throws -> any MigrationPlace {
        isFile ? SQLiteMigrationPlace(path: site.ledger, name: site.state) : try PostgresMigrationPlace(address)
    }
}
