import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import Testing
import TillClient

/// Kills migrations at one system call after another. Whatever a kill leaves, only one of the two ledgers can be used, and the
/// same command finishes the migration.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled(if: PostgresCluster.isInstalled, "Debian's package postgresql-15 is not installed"),
    .enabled("strace is not installed") { FileManager.default.isExecutableFile(atPath: Tracer.program) }
)
struct MigrationKillTests {
    /// Where a migration is killed: at the first call of that name, and then at later ones, so many further each time.
    struct Kill: CustomTestStringConvertible, Sendable {
        var call: String
        var step: Int

        var testDescription: String { call }
    }

    @Test(arguments: [Kill(call: "sendto", step: 9), Kill(call: "pwrite64", step: 7), Kill(call: "fdatasync", step: 1)])
    func onTheWayToADatabase(_ kill: Kill) async throws {
        try await MigrationSite.with { migration in
            try await migration.site.makeLedger()
            try await Self.killAgainAndAgain(kill, migration, from: migration.site.state, to: migration.database)
        }
    }

    @Test(arguments: [
        Kill(call: "sendto", step: 9), Kill(call: "pwrite64", step: 83), Kill(call: "fdatasync", step: 11),
        Kill(call: "rename", step: 1), Kill(call: "fsync", step: 1),
    ])
    func onTheWayToAFile(_ kill: Kill) async throws {
        try await MigrationSite.with { migration in
            try await migration.site.makeLedger()
            _ = try await migration.moved(from: migration.site.state, to: migration.database)
            try await Self.killAgainAndAgain(kill, migration, from: migration.database, to: migration.site.state)
        }
    }

    /// Kills a migration at later and later calls until one survives because it makes fewer. The target has the ledger that was
    /// moved from there before, or, every other time, none.
    private static func killAgainAndAgain(
        _ kill: Kill,
        _ migration: MigrationSite,
        from: String,
        to: String
    ) async throws {
        var count = 1
        while true {
            let end = try await migration.migrate(from: from, to: to, with: "signal=KILL:when=\(count)", of: kill.call)
            guard end == .signal(SIGKILL) else {
                #expect(end == .status(0) && count > 1, "call \(count) of \(kill.call)")
                return try await expectServed(migration, at: to)
            }
            let found = try await finish(migration, from: from, to: to, "call \(count) of \(kill.call)")
            let back = try await migration.moved(from: to, to: from)
            #expect(found == nil || found == back.tables, "call \(count) of \(kill.call)")
            if (count / kill.step).isMultiple(of: 2) {
                try await migration.removeLedger(to)
            }
            count += kill.step
        }
    }

    /// Finishes a migration that was killed, and returns the digests of the tables; nil if it was killed after its last step.
    private static func finish(
        _ migration: MigrationSite,
        from: String,
        to: String,
        _ comment: Comment
    ) async throws -> [String: MigrationSite.Moved.Table]? {
        if from == migration.site.state {
            let (status, lines) = try await migration.site.examine("check", from)
            let isMoved = lines.first?.contains("was moved to \(to)") == true
            #expect(status == .status(0) || isMoved, "\(comment): \(lines)")
        }
        let (exit, lines) = try await migration.migrate(from: from, to: to, ["--json"])
        guard exit == .status(0) else {
            #expect(lines.first?.contains("was moved to \(to)") == true, "\(comment): \(lines)")
            return nil
        }
        if to == migration.site.state {
            let (status, findings) = try await migration.site.examine("check", to)
            #expect(status == .status(0), "\(comment): \(findings)")
        }
        return try JSONDecoder().decode(MigrationSite.Moved.self, from: Data(#require(lines.first).utf8)).tables
    }

    /// Expects that the ledger is whole at one place, and refused at the other.
    private static func expectServed(_ migration: MigrationSite, at place: String) async throws {
        let isFile = place == migration.site.state
        let daemon = try await migration.site.startServingDaemon(isFile ? [] : migration.ledgerOptions)
        let queue = migration.site.queue()
        let transactions = try await queue.allTransactions.reduce(into: []) { $0.append($1) }
        #expect(transactions.count == 1 && transactions.first?.receipt != nil)
        await queue.close()
        try await migration.site.stop(daemon)
        // The database's ledger is looked for from a state directory without one.
        let state = isFile ? migration.site.path("another") : nil
        try await migration.expectRefusal(isFile ? migration.ledgerOptions : [], state: state, "was moved to")
    }
}
