import FaultRuns
import Foundation
import GRDB
import Glibc
import ProcessTesting
import Testing

@testable import TillSQLite

/// The first start on a ledger without page checksums makes a copy with checksums. The tests kill that start at one
/// system call after another, or make the call fail.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled("strace is not installed") { FileManager.default.isExecutableFile(atPath: Tracer.program) }
)
struct OlderLedgerTests {
    private static let rowCount = 2000
    private static let rows = """
        INSERT INTO queues (key, application, account, revision, floor)
        VALUES (3, 'org.example.notes', 'uid:1000', \(rowCount), 5);
        WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < \(rowCount))
        INSERT INTO transactions (key, queue, id, payment_id, product_id, quantity, simulates_ask_to_buy, state, revision,
            created_at, finished_at, is_entitlement, product_type)
        SELECT i, 3, CAST(printf('%016d', i) AS BLOB), CAST(printf('%016d', i) AS BLOB), 'pro', 1, 0, 1, i,
            1000 + i, 2000 + i, 1, 1 FROM numbers;
        """

    /// The calls at which a start is killed: every call, or every call at this interval.
    @Test(arguments: [("pwrite64", 97), ("fdatasync", 1), ("fsync", 2), ("rename", 1), ("ftruncate", 1)])
    func aKilledStartLeavesTheOldLedgerOrTheNew(_ call: String, step: Int) async throws {
        var count = 1
        var kills = 0
        while let end = try await Self.start(with: "signal=KILL:when=\(count)", of: call) {
            #expect(end == .signal(SIGKILL), "call \(count) of \(call)")
            kills += 1
            count += step
        }
        #expect(kills > 0)
    }

    @Test(arguments: [
        ("pwrite64", "error=ENOSPC:when=200+"), ("fdatasync", "error=EIO:when=1+"), ("rename", "error=EACCES:when=1"),
    ])
    func aStartThatCannotMakeTheCopyIsRefused(_ call: String, fault: String) async throws {
        #expect(try await Self.start(with: fault, of: call) == .status(EX_CANTCREAT))
    }

    /// Starts a daemon with a fault on an old ledger, and then another daemon on the result, which must be intact.
    ///
    /// - Returns: How the first daemon ended; nil if it serves.
    private static func start(with fault: String, of call: String) async throws -> ChildProcess.Exit? {
        try await Site.with { site in
            try makeOldLedger(site)
            let tracer = Tracer(calls: [call], fault: fault)
            let files = ["", ".new", "-wal", "-shm", ".new-journal"].map { site.ledger + $0 }
            let wrapper = tracer.command(log: site.path("calls.log"), paths: files)
            let daemon = try site.startDaemon(wrapper: wrapper)
            let end = try await firstEnd(of: daemon, at: site)
            if end != nil {
                let next = try await site.startServingDaemon()
                next.signal(SIGTERM)
                #expect(await next.exit() == .status(0))
            }
            try await expectWhole(site, "after \(fault) of \(call)")
            return end
        }
    }

    private static func firstEnd(of daemon: ChildProcess, at site: Site) async throws -> ChildProcess.Exit? {
        try await withThrowingTaskGroup(of: ChildProcess.Exit?.self) { group in
            group.addTask { await daemon.exit() }
            group.addTask {
                try await site.waitUntilServing()
                daemon.signal(SIGTERM)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }

    private static func makeOldLedger(_ site: Site) throws {
        try FileManager.default.createDirectory(
            atPath: site.state,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        let queue = try DatabaseQueue(path: site.ledger)
        try Schema.migrator.migrate(queue, upTo: "v5")
        try queue.write { try $0.execute(sql: rows) }
        try queue.close()
    }

    private static func expectWhole(_ site: Site, _ comment: Comment) async throws {
        #expect(try await CheckTests.check(site).0 == .status(0), comment)
        let queue = try DatabaseQueue(path: site.ledger, configuration: .guardingPages)
        let (count, sum) = try await queue.read { database in
            (
                try Int.fetchOne(database, sql: "SELECT count(*) FROM transactions"),
                try Int.fetchOne(database, sql: "SELECT sum(created_at + 7 * revision) FROM transactions")
            )
        }
        try queue.close()
        #expect(count == rowCount, comment)
        #expect(sum == (1...rowCount).reduce(0) { $0 + 1000 + $1 + 7 * $1 }, comment)
        let names = try FileManager.default.contentsOfDirectory(atPath: site.state)
        #expect(!names.contains { $0.contains(".new") }, comment)
    }
}
