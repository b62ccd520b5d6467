import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import TestValues
import Testing
import TillClient

/// Applications finish purchases in the database and through the daemon at the same time, while all of them, the daemon and the
/// database's server are killed: what was granted is what was finished there, and nothing twice.
///
/// `TILL_SQL_FINISHES` sets how many times a finish is attempted in the database, and `TILL_TEST_SEED` repeats the choices of a run.
@Suite(
    "Finishes in the database while everything is killed",
    .enabled(if: PostgresCluster.isInstalled, "Debian's package postgresql-15 is not installed")
)
struct DatabaseFinishRunTests {
    private static let countVariable = "TILL_SQL_FINISHES"
    /// Purchases that a round begins with. Those that it does not finish go on to the next.
    private static let purchasesPerRound = 8
    private static let levels = ["READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"]

    /// An attempt to finish a purchase.
    fileprivate struct Attempt: Sendable {
        enum Way: Sendable {
            /// In the database, with the statement that ends the transaction there.
            case database(level: String, end: String)
            case daemon
        }

        var payment: String
        var way: Way
        /// When the application is killed, if it still runs.
        var killedAfter: Duration?
    }

    private enum Fault: CaseIterable {
        case none
        case daemon
        case server
    }

    private struct Run {
        var random: SplitMix64
        /// Purchases that may be in the queue, as far as is known.
        var open: [String] = []
        /// Those that nobody tried to finish through the daemon.
        var onlyInDatabase: Set<String> = []
        var all: [String] = []
        var attempts = 0
        var faults = [0, 0]
        var kills = 0
    }

    @Test func grantsAreFinishesAndNothingIsGrantedTwice() async throws {
        let environment = ProcessInfo.processInfo.environment
        let given = environment[Self.countVariable].flatMap { Int($0) }
        let seed = environment["TILL_TEST_SEED"].flatMap { UInt64($0) } ?? .random(in: 0 ... .max)
        print("Finishes in the database: repeat the choices with TILL_TEST_SEED=\(seed)")
        try await DatabaseShop.with { shop in
            var run = Run(random: SplitMix64(seed: seed))
            var daemon = try await shop.startDaemon()
            while run.attempts < given ?? 60 {
                try await round(&run, shop, &daemon)
                try await requireSingleGrants(shop)
            }
            try await finishTheRest(run, shop)
            try await check(run, shop)
            if given != nil {
                let grants = try await shop.query("SELECT count(*) FROM shop.grants").joined()
                print(
                    """
                    Finishes in the database: \(run.attempts) attempts at \(run.all.count) purchases, \(grants) granted, none twice; \
                    kills: \(run.kills) applications, \(run.faults[0]) daemons, \(run.faults[1]) servers.
                    """
                )
                try await measureOpenTransaction(shop)
            }
        }
    }

    private func round(_ run: inout Run, _ shop: DatabaseShop, _ daemon: inout ChildProcess) async throws {
        let payments = (0..<Self.purchasesPerRound).map { _ in UUID().uuidString.lowercased() }
        run.all += payments
        run.onlyInDatabase.formUnion(payments)
        for payment in payments {
            try await shop.buy(payment)
        }
        let attempts = (run.open + payments).flatMap { Self.attempts(at: $0, &run) }
        run.attempts += attempts.count { if case .database = $0.way { true } else { false } }
        let fault = Fault.allCases.randomElement(using: &run.random) ?? .none
        let moment = Duration.milliseconds(Int.random(in: 0...150, using: &run.random))
        run.kills += try await withThrowingTaskGroup { group in
            for attempt in attempts {
                group.addTask { try await shop.run(attempt) }
            }
            await Alarm.after(moment)
            switch fault {
            case .none: break
            case .daemon:
                await daemon.killNow()
                daemon = try await shop.startDaemon()
                run.faults[0] += 1
            case .server:
                try shop.cluster.crash()
                try shop.cluster.start()
                run.faults[1] += 1
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        run.open = try await shop.open(of: run.open + payments)
    }

    private static func attempts(at payment: String, _ run: inout Run) -> [Attempt] {
        (0..<Int.random(in: 1...3, using: &run.random)).map { _ in
            let kill = Int.random(in: 0..<4, using: &run.random) == 0 ? Int.random(in: 0...60, using: &run.random) : nil
            var way = Attempt.Way.daemon
            if Int.random(in: 0..<4, using: &run.random) > 0 {
                let level = levels.randomElement(using: &run.random) ?? ""
                let end = Int.random(in: 0..<6, using: &run.random) == 0 ? "ROLLBACK" : "COMMIT"
                way = .database(level: level, end: end)
            } else {
                run.onlyInDatabase.remove(payment)
            }
            return Attempt(payment: payment, way: way, killedAfter: kill.map { .milliseconds($0) })
        }
    }

    private func requireSingleGrants(_ shop: DatabaseShop) async throws {
        let twice = try await shop.query("SELECT payment FROM shop.grants GROUP BY payment HAVING count(*) > 1")
        try #require(twice == [], "granted twice")
    }

    private func finishTheRest(_ run: Run, _ shop: DatabaseShop) async throws {
        for payment in run.open {
            _ = try await shop.query(DatabaseShop.grant(payment))
        }
        while try await shop.till(["transactions"]).lines.contains(where: { $0.contains("purchased") }) {
            await Alarm.after(.milliseconds(50))
        }
    }

    private func check(_ run: Run, _ shop: DatabaseShop) async throws {
        try await requireSingleGrants(shop)
        let granted = Set(try await shop.query("SELECT payment FROM shop.grants"))
        #expect(granted.subtracting(run.all).isEmpty)
        #expect(run.onlyInDatabase.subtracting(granted).isEmpty, "finished there without a grant")
        let records = "FROM till.finishes f JOIN till.transactions t ON t.key = f.transaction_key"
        let finished = try await shop.query("SELECT t.id \(records)", as: shop.cluster.address)
        #expect(Set(finished) == Set(run.all) && finished.count == run.all.count)
        for payment in run.all {
            #expect(try await shop.query("SELECT till.finish('\(payment)')") == ["f"])
        }
        let books = try await shop.till(["reconcile"])
        let words = "The ledger and the provider agree: \(run.all.count) charges compared."
        #expect(books.lines.contains(words), "\(books.lines)")
    }
}

/// How long adds take while an application keeps a transaction open in which it has finished a purchase.
extension DatabaseFinishRunTests {
    private static let adders = 8
    private static let addingTime = Duration.seconds(30)

    private func measureOpenTransaction(_ shop: DatabaseShop) async throws {
        let payment = UUID().uuidString.lowercased()
        try await shop.buy(payment)
        let alone = try await Self.addTimes(shop)
        let open = try shop.startQuery("BEGIN; \(DatabaseShop.grant(payment)); SELECT pg_sleep(600)")
        while try await shop.query("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1") != [
            "1"
        ] {
            await Alarm.after(.milliseconds(20))
        }
        let beside = try await Self.addTimes(shop)
        await open.killNow()
        for (name, times) in [("without", alone), ("with", beside)] {
            let (median, rare) = (times[times.count / 2], times[times.count * 99 / 100])
            print("Adds \(name) an open transaction: \(times.count), p50 \(median), p99 \(rare).")
        }
    }

    /// How long each of many adds took, the shortest first.
    private static func addTimes(_ shop: DatabaseShop) async throws -> [Duration] {
        let end = ContinuousClock.now + addingTime
        return try await withThrowingTaskGroup { group in
            for _ in 0..<adders {
                group.addTask {
                    let configuration = ClientConfiguration(
                        application: "org.example.notes",
                        socketPath: shop.site.socket
                    )
                    let queue = PaymentQueue(configuration)
                    var times: [Duration] = []
                    while ContinuousClock.now < end {
                        let payment = Payment(productID: TestStore.coins)
                        times.append(try await ContinuousClock().measure { _ = try await queue.add(payment) })
                    }
                    await queue.close()
                    return times
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }.sorted()
        }
    }
}

extension DatabaseShop {
    /// Grants the purchase if this is what finishes it.
    fileprivate static func grant(_ payment: String) -> String {
        "INSERT INTO shop.grants SELECT '\(payment)' WHERE till.finish('\(payment)')"
    }

    /// Buys until that is known to have happened.
    fileprivate func buy(_ payment: String) async throws {
        while try await till(["buy", TestStore.coins, "--payment-id", payment]).exit != .status(0) {
            await Alarm.after(.milliseconds(50))
        }
    }

    /// Those of the purchases that are not finished.
    fileprivate func open(of payments: [String]) async throws -> [String] {
        let ids = payments.map { "'\($0)'" }.joined(separator: ", ")
        return try await query(
            """
            SELECT t.id FROM till.transactions t LEFT JOIN till.finishes f ON f.transaction_key = t.key
            WHERE t.id IN (\(ids)) AND f.transaction_key IS NULL ORDER BY t.id
            """,
            as: cluster.address
        )
    }

    /// Returns whether the application was killed before it had ended.
    fileprivate func run(_ attempt: DatabaseFinishRunTests.Attempt) async throws -> Bool {
        let process =
            switch attempt.way {
            case .database(let level, let end):
                try startQuery("BEGIN ISOLATION LEVEL \(level); \(Self.grant(attempt.payment)); \(end)")
            case .daemon:
                try site.start(
                    "till",
                    Binaries.command,
                    ["--socket", site.socket] + Self.application + ["finish", attempt.payment],
                    log: "finishes.log"
                )
            }
        guard let moment = attempt.killedAfter else {
            _ = await process.exit()
            return false
        }
        await Alarm.after(moment)
        return await process.killNow() == .signal(SIGKILL)
    }
}
