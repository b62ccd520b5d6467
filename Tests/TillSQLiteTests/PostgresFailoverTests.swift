import Dispatch
import FoundationEssentials
import NIOConcurrencyHelpers
import ProcessTesting
import Testing
import TillEngine
import TillModel

@testable import TillPostgres
@testable import TillSQL

@Suite(
    "The PostgreSQL ledger when its server fails",
    .enabled(if: PostgresCluster.isInstalled, "Debian's package postgresql-15 is not installed")
)
struct PostgresFailoverTests {
    struct Finding: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var found: LedgerProgress
        /// Nil if it is not known whether the commit happened.
        var hasHappened: Bool?
        var failure: PostgresSessionFailure?
    }

    static let findings = [
        Finding(testDescription: "the same", found: LedgerProgress(fence: 3, commits: 10), hasHappened: false),
        Finding(testDescription: "one more", found: LedgerProgress(fence: 3, commits: 11), hasHappened: true),
        Finding(testDescription: "two more", found: LedgerProgress(fence: 3, commits: 12), failure: .taken),
        Finding(testDescription: "one less", found: LedgerProgress(fence: 3, commits: 9), failure: .wentBack),
        Finding(testDescription: "another opening", found: LedgerProgress(fence: 4, commits: 10), failure: .taken),
        Finding(testDescription: "another's commit", found: LedgerProgress(fence: 4, commits: 11), failure: .taken),
        Finding(testDescription: "an older opening", found: LedgerProgress(fence: 2, commits: 11), failure: .wentBack),
    ]

    @Test(arguments: findings)
    func whatANewSessionFindsSaysWhetherTheCommitHappened(_ finding: Finding) throws {
        let known = LedgerProgress(fence: 3, commits: 10)
        do {
            let hasHappened = try known.hasAdvanced(to: finding.found)
            #expect(finding.failure == nil && hasHappened == finding.hasHappened)
        } catch {
            #expect(error == finding.failure)
        }
    }

    /// The revisions of all transactions in the database, as a session of the test's own sees them.
    private static func revisions(_ place: PostgresPlace) throws -> [Int64] {
        var revisions: [Int64] = []
        try place.session().run("SELECT revision FROM transactions ORDER BY revision", []) {
            revisions.append($0.integer(ofColumn: 0))
        }
        return revisions
    }

    /// Ends the session that commits again and again, whatever it is doing, until told to stop. Returns how often.
    private static func endSessions(_ place: PostgresPlace, until isDone: NIOLockedValueBox<Bool>) throws -> Int {
        let session = try place.session()
        var count = 0
        var commits: Int64 = -1
        while !isDone.withLockedValue({ $0 }) {
            var found: Int64 = 0
            try session.run("SELECT commits FROM meta", []) { found = $0.integer(ofColumn: 0) }
            // A commit may lose only so many sessions.
            guard found != commits else {
                continue
            }
            let ended = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted"
            try session.run(ended, []) { _ in
                count += 1
                commits = found
            }
        }
        return count
    }

    @Test func everyCommitHappensOnceHoweverOftenSessionsEnd() async throws {
        let cluster = try PostgresCluster()
        defer { try? cluster.stop() }
        let place = PostgresPlace(address: cluster.address)
        let ledger = try place.opened()
        let queue = try await ledger.makeQueue()
        let isDone = NIOLockedValueBox(false)
        async let ended = withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try Self.endSessions(place, until: isDone) })
            }
        }
        // Also after an error, because the scope's end waits for the other task.
        defer { isDone.withLockedValue { $0 = true } }
        for _ in 0..<120 {
            try await ledger.add(to: queue)
        }
        isDone.withLockedValue { $0 = true }
        #expect(try await ended >= 20)
        #expect(try Self.revisions(place) == Array(1...120))
        await ledger.close()
    }

    @Test func aServerThatComesBackAfterACrashIsUsedAgain() async throws {
        let cluster = try PostgresCluster()
        defer { try? cluster.stop() }
        let place = PostgresPlace(address: cluster.address)
        let ledger = try place.opened()
        let queue = try await ledger.makeQueue()
        for _ in 0..<2 {
            async let adds: Void = {
                for _ in 0..<50 {
                    try await ledger.add(to: queue)
                }
            }()
            try cluster.crash()
            try cluster.start()
            try await adds
        }
        #expect(try Self.revisions(place) == Array(1...100))
        await ledger.close()
    }

    @Test func aStandbyTakesThePlaceOfItsPrimary() async throws {
        let primary = try PostgresCluster(settings: ["synchronous_standby_names=*"])
        let standby = try PostgresCluster(standbyOf: primary)
        defer { try? standby.stop() }
        let place = PostgresPlace(address: PostgresCluster.address(of: [primary, standby]))
        let ledger = try place.opened()
        let queue = try await ledger.makeQueue()
        async let adds: Void = {
            for _ in 0..<200 {
                try await ledger.add(to: queue)
            }
        }()
        try primary.stop()
        try standby.promote()
        try await adds
        #expect(try Self.revisions(place) == Array(1...200))
        await ledger.close()
    }

    @Test func severalServersWithoutASynchronousStandbyAreRefused() throws {
        let primary = try PostgresCluster()
        let standby = try PostgresCluster(standbyOf: primary)
        defer {
            try? standby.stop()
            try? primary.stop()
        }
        let address = PostgresCluster.address(of: [primary, standby])
        let error = #expect(throws: TillError.self) { try PostgresLedger(address: address, logger: .silent) }
        #expect(error?.code == .failedPrecondition && error?.message.contains("synchronous_standby_names") == true)
    }

    struct Interference: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var statement: String
        var endsSession: Bool
        var failure: PostgresSessionFailure
    }

    static let interferences = [
        Interference(
            testDescription: "a database that lacks a commit",
            statement: "UPDATE meta SET commits = commits - 1",
            endsSession: true,
            failure: .wentBack
        ),
        Interference(
            testDescription: "another daemon's opening",
            statement: "UPDATE meta SET fence = fence + 1",
            endsSession: true,
            failure: .taken
        ),
        Interference(
            testDescription: "another daemon's opening while the session lasts",
            statement: "UPDATE meta SET fence = fence + 1",
            endsSession: false,
            failure: .taken
        ),
    ]

    @Test(arguments: interferences)
    func aLedgerThatIsNoLongerItsOwnTakesNoCommits(_ interference: Interference) async throws {
        try await withPostgresLedger { ledger, place in
            let queue = try await ledger.makeQueue()
            try await ledger.add(to: queue)
            let session = try place.session()
            try session.execute(interference.statement)
            if interference.endsSession {
                try place.endSession(ofProcess: ledger.serverProcess)
            }
            let failure = await #expect(throws: PostgresSessionFailure.self) { try await ledger.add(to: queue) }
            #expect(failure == interference.failure)
            let later = await #expect(throws: TillError.self) { try await ledger.add(to: queue) }
            #expect(later?.code == .unavailable)
            #expect(try Self.revisions(place) == [1])
        }
    }

    /// `tilld migrate` has the lock while the daemon has no session.
    @Test func aLedgerThatWasMovedInTheMeantimeTakesNoCommits() async throws {
        try await withPostgresPlace { place in
            try place.setup().run()
            let ledger = try place.opened(patience: .milliseconds(300))
            let queue = try await ledger.makeQueue()
            let session = try place.session()
            try session.inTransaction("BEGIN") { try session.setMark(.moved(to: "/var/lib/till")) }
            try place.endSession(ofProcess: ledger.serverProcess)
            let failure = await #expect(throws: PostgresSessionFailure.self) { try await ledger.add(to: queue) }
            #expect(failure?.description.contains("was moved to /var/lib/till") == true)
            #expect(try Self.revisions(place).isEmpty)
            await ledger.close()
        }
    }

    @Test func aServerThatStaysAwayEndsTheCommits() async throws {
        let cluster = try PostgresCluster()
        let place = PostgresPlace(address: cluster.address)
        let ledger = try place.opened(patience: .milliseconds(300))
        let queue = try await ledger.makeQueue()
        try cluster.crash()
        let failure = await #expect(throws: PostgresSessionFailure.self) { try await ledger.add(to: queue) }
        #expect(failure?.description.contains("The connection to PostgreSQL is lost") == true)
        try cluster.start()
        let later = await #expect(throws: TillError.self) { try await ledger.add(to: queue) }
        #expect(later?.code == .unavailable)
        let again = try place.opened()
        try await again.add(to: queue)
        #expect(try Self.revisions(place) == [1])
        await again.close()
        try cluster.stop()
    }
}
