import FaultRuns
import Foundation
import ProcessTesting
import Testing
import TillClient
import TillModel

/// Cuts the links between hosts and their database, so that what is sent is lost without an error, as when a cable is pulled.
///
/// `TILL_HOST_PARTITIONS` sets the number of cuts of the run.
@Suite(
    .serialized,
    .enabled(if: PostgresCluster.isInstalled, "Debian's package postgresql-15 is not installed"),
    .enabled(if: TestNetwork.isPossible, "networks need root and Debian's package iproute2")
)
struct HostPartitionTests {
    private static let configured = ProcessInfo.processInfo.environment["TILL_HOST_PARTITIONS"].flatMap { Int($0) }
    static let partitions = configured ?? 1
    /// In milliseconds. A daemon gives up after half a minute, within which the others have to answer, too.
    private static let durations = configured == nil ? 6_000...9_000 : 500...15_000
    static let minutes = max(10, partitions)

    @Test(.timeLimit(.minutes(minutes)))
    func hostsContinueAfterTheyLostTheirDatabase() async throws {
        let runs = HostRuns(
            rounds: Self.partitions,
            accidents: [.partition],
            durations: Self.durations,
            networked: HostKillRun.names
        )
        #expect(try await runs.run().partitions == Self.partitions)
    }

    /// Its session at the server would otherwise keep the host's name, until the server's system misses it after two hours.
    /// It gives up whether a commit waits for its database or only reads do.
    @Test(arguments: [true, false]) func aHostThatGaveUpCanStartOnceItsDatabaseIsBack(commits: Bool) async throws {
        try await HostSite.with(networked: ["a", "b"]) { hosts in
            let daemons = try await hosts.start(all: ["a", "b"])
            try hosts.network?.cut("b")
            let queue = hosts.queue("b", callTimeout: .seconds(50))
            let payment = Payment(productID: TestStore.coins)
            if commits {
                await #expect(throws: TillError.self) { try await queue.add(payment) }
            }
            await queue.close()
            #expect(await daemons[1].exit(within: .seconds(120)) == .status(EX_IOERR))
            try hosts.network?.heal("b")
            let healed = ContinuousClock.now
            _ = try await hosts.start("b")
            print("Served again \(healed.duration(to: .now)) after the link was there")
            let again = hosts.queue("b")
            #expect(try await again.add(payment).id == payment.id)
            await again.close()
        }
    }

    /// The server has acknowledged the statement, so nothing of the daemon's is on its way: only asking shows that the server
    /// is away.
    @Test func anAnswerThatIsLostIsNotWaitedForWithoutEnd() async throws {
        try await HostSite.with(networked: ["a"]) { hosts in
            _ = try await hosts.start("a")
            let locking = "BEGIN; LOCK TABLE till.meta; SELECT pg_sleep(600)"
            let sleeping = "FROM pg_stat_activity WHERE query LIKE '%pg_sleep(600)' AND wait_event = 'PgSleep'"
            let waiting = "SELECT count(*) > 0 FROM pg_locks WHERE NOT granted AND mode = 'RowExclusiveLock'"
            _ = try hosts.site.startQuery(locking, at: hosts.database)
            try await hosts.waitUntil("SELECT count(*) = 1 \(sleeping)")
            let queue = hosts.queue("a", callTimeout: .seconds(60))
            async let added = queue.add(Payment(productID: TestStore.coins))
            try await hosts.waitUntil(waiting)
            try hosts.network?.cut("a")
            _ = try await hosts.site.query("SELECT pg_terminate_backend(pid) \(sleeping)", at: hosts.database)
            // The server misses the daemon.
            try await hosts.waitUntil("SELECT count(*) = 0 FROM pg_stat_activity WHERE application_name = 'tilld'")
            try hosts.network?.heal("a")
            let healed = ContinuousClock.now
            _ = try await added
            print("Added \(healed.duration(to: .now)) after the link was there")
            await queue.close()
        }
    }
}
