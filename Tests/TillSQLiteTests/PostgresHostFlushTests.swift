import FoundationEssentials
import NIOConcurrencyHelpers
import ProcessTesting
import Testing
import TillEngine
import TillModel

@testable import TillPostgres
@testable import TillSQL

/// Hosts flush their commits at the same time. A server that waits for a standby that does not exist stands for one whose flush
/// takes long: what it has committed can be read, but is not durable.
@Suite(
    "Flushes of several hosts",
    .enabled(if: PostgresCluster.isInstalled, "Debian's package postgresql-15 is not installed"),
    .timeLimit(.minutes(5))
)
struct PostgresHostFlushTests {
    /// A ledger of two hosts on a server whose flushes can be held up.
    // Sendable: the test's own task alone uses the session.
    private struct Server: @unchecked Sendable {
        let cluster: PostgresCluster
        let place: PostgresPlace
        let first: PostgresLedger
        let second: PostgresLedger
        let queue: Int64
        let session: PostgresConnection

        init(settings: [String] = []) async throws {
            cluster = try PostgresCluster(settings: settings)
            place = PostgresPlace(address: cluster.address)
            first = try place.opened(for: .host(HostIdentity(name: "a")))
            second = try place.opened(for: .host(HostIdentity(name: "b")))
            queue = try await first.makeQueue()
            session = try place.session()
        }

        /// Has flushes wait, or continue, once the server has noticed.
        func setStandby(_ name: String) throws {
            try session.execute("ALTER SYSTEM SET synchronous_standby_names TO '\(name)'")
            try session.execute("SELECT pg_reload_conf()")
        }

        /// The server's processes in which a flush waits.
        func waiting() throws -> Set<Int64> {
            var processes: Set<Int64> = []
            let sql = "SELECT CAST(pid AS bigint) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
            try session.run(sql, []) { processes.insert($0.integer(ofColumn: 0)) }
            return processes
        }

        /// The last statements of the daemons' sessions that read.
        func lastStatements() throws -> [String] {
            var statements: [String] = []
            let sql = """
                SELECT query FROM pg_stat_activity
                WHERE application_name = 'tilld' AND CAST(pid AS bigint) NOT IN (?1, ?2, pg_backend_pid())
                """
            try session.run(sql, [.integer(first.serverProcess), .integer(second.serverProcess)]) {
                statements.append($0.text(ofColumn: 0) ?? "")
            }
            return statements
        }

        /// Returns the processes in which a flush waits once they are so many, or once `isDone`.
        @discardableResult
        func waitUntilWaiting(
            _ isEnough: (Set<Int64>) -> Bool,
            orDone isDone: () -> Bool = { false }
        ) async throws -> Set<Int64> {
            while true {
                let waiting = try waiting()
                if isEnough(waiting) || isDone() {
                    return waiting
                }
                await Task.yield()
            }
        }

        func close() async throws {
            await first.close()
            await second.close()
            try cluster.stop()
        }
    }

    /// Adds to the queue until `isEnding`, and counts the adds that were answered.
    private static func keepAdding(
        to server: Server,
        _ answered: NIOLockedValueBox<Int>,
        until isEnding: NIOLockedValueBox<Bool>
    ) async throws {
        while !isEnding.withLockedValue({ $0 }), !Task.isCancelled {
            try await server.first.add(to: server.queue)
            answered.withLockedValue { $0 += 1 }
        }
    }

    /// Has flushes wait, and returns once the first host's does: how many of its adds were answered, and the processes that wait.
    private static func holdUp(_ server: Server, _ answered: NIOLockedValueBox<Int>) async throws -> (
        count: Int, waiting: Set<Int64>
    ) {
        try server.setStandby("nobody")
        let start = answered.withLockedValue { $0 }
        let waiting = try await server.waitUntilWaiting {
            $0.count == 1
        } orDone: {
            answered.withLockedValue { $0 } > start + answersMaximum
        }
        try #require(waiting.count == 1, "adds are answered although nothing is flushed")
        return (answered.withLockedValue { $0 }, waiting)
    }

    /// The server notices a setting after fewer adds than these.
    private static let answersMaximum = 2_000

    @Test func othersCommitWhileACommitIsFlushedAndReadsWaitForIt() async throws {
        let server = try await Server()
        let (answered, isEnding) = (NIOLockedValueBox(0), NIOLockedValueBox(false))
        let (seen, hasRead) = (NIOLockedValueBox<UInt64?>(nil), NIOLockedValueBox(false))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await Self.keepAdding(to: server, answered, until: isEnding) }
            let before = try await Self.holdUp(server, answered).count

            group.addTask {
                try await server.second.commit { writer in
                    seen.withLockedValue { $0 = try? writer.advanceRevision(ofQueue: server.queue) }
                }
            }
            try await server.waitUntilWaiting { $0.count == 2 }
            #expect(seen.withLockedValue { $0 } == UInt64(before + 2), "it saw the commit that is not durable yet")

            group.addTask {
                let revision = try await server.second.read { try $0.queue(key: server.queue)?.revision }
                hasRead.withLockedValue { $0 = true }
                #expect(revision == UInt64(before + 2))
            }
            let waiting = try await server.waitUntilWaiting {
                $0.count == 3
            } orDone: {
                hasRead.withLockedValue { $0 }
            }
            #expect(waiting.count == 3, "a read gave what a failing server would lose")
            #expect(answered.withLockedValue { $0 } == before, "an add was answered before it was durable")

            isEnding.withLockedValue { $0 = true }
            try server.setStandby("")
            try await group.waitForAll()
            #expect(answered.withLockedValue { $0 } == before + 1)
        }
        try await server.close()
    }

    /// A read flushes what no host is known to have flushed, once.
    @Test func aReadFlushesOnlyWhatIsNotDurableYet() async throws {
        let server = try await Server()
        let flushes = {
            _ = try await server.second.read { try $0.queue(key: server.queue) }
            return try server.lastStatements().contains { $0.contains("pg_logical_emit_message") }
        }
        try await server.first.add(to: server.queue)
        for _ in 0..<3 {
            try server.session.execute("UPDATE meta SET commits = commits + 1")
            #expect(try await flushes(), "a read gave what a failing server would lose")
            #expect(try await !flushes(), "a read flushed what was durable")
            try await server.first.add(to: server.queue)
            #expect(try await !flushes(), "a read flushed what another host had flushed")
        }
        try await server.close()
    }

    /// The new session finds the commit, and waits until it is durable instead of making another.
    @Test func aCommitWhoseSessionIsLostWhileItIsFlushedHappensOnce() async throws {
        let server = try await Server()
        let (answered, isEnding) = (NIOLockedValueBox(0), NIOLockedValueBox(false))
        let hasRead = NIOLockedValueBox(false)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await Self.keepAdding(to: server, answered, until: isEnding) }
            let (before, lost) = try await Self.holdUp(server, answered)
            isEnding.withLockedValue { $0 = true }
            for process in lost {
                try server.place.endSession(ofProcess: process)
            }
            try await server.waitUntilWaiting { !$0.subtracting(lost).isEmpty }
            #expect(answered.withLockedValue { $0 } == before)
            group.addTask {
                _ = try await server.second.read { try $0.queue(key: server.queue) }
                hasRead.withLockedValue { $0 = true }
            }
            let waiting = try await server.waitUntilWaiting {
                $0.subtracting(lost).count == 2
            } orDone: {
                hasRead.withLockedValue { $0 }
            }
            #expect(waiting.subtracting(lost).count == 2, "a read gave what no standby has")
            try server.setStandby("")
            try await group.waitForAll()
            #expect(answered.withLockedValue { $0 } == before + 1)
            #expect(try await server.second.read { try $0.queue(key: server.queue)?.revision } == UInt64(before + 1))
        }
        try await server.close()
    }

    /// A server fails and loses a commit that another host has seen. The next commit gets the same number.
    @Test func aCommitWithTheNumberOfALostOneIsNews() async throws {
        let server = try await Server()
        let news = try #require(try await server.second.news(ofQueues: [server.queue], after: nil))
        #expect(try await server.second.news(ofQueues: [server.queue], after: news.commits) == nil)
        try server.session.execute("UPDATE meta SET commits = commits - 1")
        try server.session.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tilld' AND pid <> pg_backend_pid()"
        )
        try await server.first.add(to: server.queue)
        let next = try #require(try await server.second.news(ofQueues: [server.queue], after: news.commits))
        #expect(next.commits == news.commits && next.revisions == [server.queue: 1])
        try await server.close()
    }

    @Test func aCommitAfterAnotherHostsReadsInOneRoundTripWhatItForgot() async throws {
        let server = try await Server(settings: PostgresCluster.loggingStatements)
        let name = someQueue
        let add = { @Sendable (ledger: PostgresLedger) in
            try await ledger.commit { writer in
                let records = (0..<2).map { _ in TransactionRecord.sample(server.queue, revision: 0) }
                try writer.willRead(records.map { .id($0.id) }, of: [name])
                for var record in records where try writer.transaction(record.id) == nil {
                    let queue = try #require(try writer.queue(name))
                    record.revision = try writer.advanceRevision(ofQueue: queue.key)
                    _ = try writer.insert(record)
                }
            }
        }
        // The first ones prepare the statements.
        for ledger in [server.first, server.second, server.first, server.second] {
            try await add(ledger)
        }
        let process = server.first.serverProcess
        let before = try server.cluster.statements(ofProcess: process).count
        try await add(server.first)
        let sent = try server.cluster.statements(ofProcess: process).dropFirst(before)
        #expect(
            sent.map { $0.split(separator: " ").prefix(2).joined(separator: " ") } == [
                "BEGIN", "SET LOCAL", "UPDATE hosts", "UPDATE meta", "SELECT key,", "SELECT t.key,", "SELECT max(key)",
                "INSERT INTO", "UPDATE queues", "COMMIT", "WITH flushed",
            ]
        )
        try await server.close()
    }
}
