import FoundationEssentials
import NIOConcurrencyHelpers
import ProcessTesting
import TestValues
import Testing
import TillEngine
import TillModel

@testable import TillPostgres
@testable import TillSQL

/// Two servers take turns: in each round the primary crashes while many commit, and its synchronous standby takes over.
///
/// `TILL_FAILOVER_ROUNDS` sets the number of rounds, and `TILL_TEST_SEED` repeats the choices of a run.
@Suite(
    "Failovers of the PostgreSQL ledger under load",
    .enabled(if: PostgresCluster.isInstalled, "Debian's package postgresql-15 is not installed")
)
struct PostgresFailoverRunTests {
    private static let roundsVariable = "TILL_FAILOVER_ROUNDS"
    private static let committers = 8

    /// What those who commit were told.
    private struct Answers {
        /// How many adds of each committer were answered.
        var counts = Array(repeating: 0, count: committers)
        var isStopped = false
        /// When the standby was told to take over, until the first answer after that.
        var promotionAt: ContinuousClock.Instant?
        var waits: [Duration] = []

        var total: Int {
            counts.reduce(0, +)
        }
    }

    private let answers = NIOLockedValueBox(Answers())
    /// Has something new after an answer.
    private let news = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    private static let hosts = ["a", "b"].map { LedgerUse.host(HostIdentity(name: $0)) }

    @Test(arguments: [[LedgerUse.alone], hosts])
    func noAnswerIsLostAndEveryUnknownOutcomeIsDecidedRightly(of uses: [LedgerUse]) async throws {
        let environment = ProcessInfo.processInfo.environment
        let given = environment[Self.roundsVariable].flatMap { Int($0) }
        var random = SplitMix64(seed: environment["TILL_TEST_SEED"].flatMap { UInt64($0) } ?? .random(in: 0 ... .max))
        print("Failovers: repeat the choices with TILL_TEST_SEED=\(random.seed)")
        var primary = try PostgresCluster()
        var standby = try PostgresCluster(standbyOf: primary)
        try Self.require(standby, of: primary)
        let place = PostgresPlace(address: PostgresCluster.address(of: [primary, standby]))
        let ledgers = try uses.map { try place.opened(for: $0) }
        try await withThrowingTaskGroup { group in
            for number in 0..<Self.committers {
                group.addTask { try await commitUntilStopped(ledgers[number % ledgers.count], number) }
            }
            for round in 0..<(given ?? 2) {
                if round > 0 {
                    try standby.follow(primary)
                    try Self.require(standby, of: primary)
                }
                await waitForAnswers(Int.random(in: 1...400, using: &random))
                try primary.crash()
                answers.withLockedValue { $0.promotionAt = .now }
                try standby.promote()
                swap(&primary, &standby)
                await waitForAnswers(1)
            }
            answers.withLockedValue { $0.isStopped = true }
            try await group.waitForAll()
        }
        let counts = answers.withLockedValue { $0.counts }
        #expect(try Self.revisions(place) == counts.map { Array(1...Int64($0)) })
        for ledger in ledgers {
            await ledger.close()
        }
        if given != nil {
            Self.report(answers.withLockedValue { $0.waits }, adds: counts.reduce(0, +))
        }
        try primary.stop()
        try standby.stop()
    }

    /// Adds one transaction after the other to a queue of its own, each with the next revision.
    private func commitUntilStopped(_ ledger: PostgresLedger, _ number: Int) async throws {
        let name = QueueName(application: "org.example.shop", account: "account-\(number)")
        let queue = try await ledger.makeQueue(name)
        while !answers.withLockedValue({ $0.isStopped }) {
            try await ledger.add(to: queue)
            answers.withLockedValue { answers in
                answers.counts[number] += 1
                if let promotionAt = answers.promotionAt {
                    answers.waits.append(.now - promotionAt)
                    answers.promotionAt = nil
                }
            }
            news.continuation.yield()
        }
    }

    private func waitForAnswers(_ count: Int) async {
        let before = answers.withLockedValue { $0.total }
        for await _ in news.stream where answers.withLockedValue({ $0.total }) >= before + count {
            return
        }
    }

    /// Makes the primary confirm nothing that the standby does not have. A standby that takes over confirms alone, until it has
    /// a standby of its own.
    private static func require(_ standby: PostgresCluster, of primary: PostgresCluster) throws {
        let session = try PostgresConnection(to: primary.address, schema: "public")
        try session.execute("ALTER SYSTEM SET synchronous_standby_names TO '*'")
        try session.execute("SELECT pg_reload_conf()")
        var isSynchronous = false
        while !isSynchronous {
            try session.run("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'", []) { _ in
                isSynchronous = true
            }
        }
    }

    /// The revisions in each committer's queue, as a session of the test's own sees them.
    private static func revisions(_ place: PostgresPlace) throws -> [[Int64]] {
        try (0..<committers).map { number in
            var revisions: [Int64] = []
            try place.session().run(
                """
                SELECT t.revision FROM transactions t JOIN queues q ON q.key = t.queue WHERE q.account = ?1 ORDER BY t.revision
                """,
                [SQLValue("account-\(number)")]
            ) { revisions.append($0.integer(ofColumn: 0)) }
            return revisions
        }
    }

    private static func report(_ waits: [Duration], adds: Int) {
        let sorted = waits.sorted()
        let within = sorted.filter { $0 <= .seconds(2) }.count
        print(
            """
            Failovers: \(waits.count), with \(adds) answered adds; none was lost, none happened twice.
            From the beginning of the promotion to the next answer: median \(sorted[sorted.count / 2]), longest \(sorted[sorted.count - 1]); \
            \(within) of \(waits.count) within 2 s.
            """
        )
    }
}
