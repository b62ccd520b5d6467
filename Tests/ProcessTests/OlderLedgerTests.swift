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
    /// The time limit for a daemon to start and stop. A daemon killed at this limit must not pass for one that the fault
    /// killed.
    private static let endLimit = Duration.seconds(120)
    private static let rows = """
        INSERT INTO queues (key, application, account, revision, floor)
        VALUES (3, 'org.example.notes', 'uid:1000', \(rowCount), 5);
        WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < \(rowCount))
        INSERT INTO transactions (key, queue, id, payment_id, product_id, quantity, simulates_ask_to_buy, state, revision,
            created_at, finished_at, is_entitlement, product_type)
        SELECT i, 3, CAST(printf('%016d', i) AS BLOB), CAST(printf('%016d', i) AS BLOB), 'pro', 1, 0, 1, i,
            1000 + i, 2000 + i, 1, 1 FROM numbers;
        """

    @Test func aTracedProgramIsKilledAtItsFirstCall() async throws {
        try await Site.with { site in
            let command = Tracer(calls: ["ftruncate"], fault: "signal=KILL:when=1").command(log: site.path("calls.log"))
            let arguments = command.dropFirst() + ["/usr/bin/truncate", "-s", "3", site.path("file")]
            let program = try site.start("truncate", command[0], Array(arguments), log: "programs.log")
            #expect(await program.exit() == .signal(SIGKILL))
        }
    }

    /// Kills starts at the first call of a thread, and then at later calls at an interval, until a daemon survives
    /// because no thread makes so many calls.
    @Test(arguments: [("pwrite64", 97), ("fdatasync", 3), ("fsync", 2), ("rename", 1), ("ftruncate", 1)])
    func aKilledStartLeavesTheOldLedgerOrTheNew(_ call: String, step: Int) async throws {
        var count = 1
        var end = try await Self.start(with: "signal=KILL:when=\(count)", of: call)
        #expect(end == .signal(SIGKILL), "no thread made a call of \(call)")
        while end == .signal(SIGKILL) {
            count += step
            end = try await Self.start(with: "signal=KILL:when=\(count)", of: call)
        }
        #expect(end == .status(0), "call \(count) of \(call)")
    }

    @Test(arguments: [
        ("pwrite64", "error=ENOSPC:when=200+"), ("fdatasync", "error=EIO:when=1+"), ("rename", "error=EACCES:when=1"),
    ])
    func aStartThatCannotMakeTheCopyIsRefused(_ call: String, fault: String) async throws {
        #expect(try await Self.start(with: fault, of: call) == .status(EX_CANTCREAT))
    }

    /// Starts a daemon with a fault on an old ledger, and then another daemon on the result, which must be intact.
    ///
    /// - Returns: How the first daemon ended.
    private static func start(with fault: String, of call: String) async throws -> ChildProcess.Exit {
        try await Site.with { site in
            try makeOldLedger(site)
            let tracer = Tracer(calls: [call], fault: fault)
            let files = ["", ".new", "-wal", "-shm", ".new-journal"].map { site.ledger + $0 }
            let wrapper = tracer.command(log: site.path("calls.log"), paths: files)
            let daemon = try site.startDaemon(wrapper: wrapper)
            let end = try await end(of: daemon, at: site)
            if end != .status(0) {
                let next = try await site.startServingDaemon()
                next.signal(SIGTERM)
                #expect(await next.exit() == .status(0))
            }
            try await expectWhole(site, "after \(fault) of \(call)")
            return end
        }
    }

    /// Stops the daemon once it serves. The fault may end it before, or while it serves or stops.
    private static func end(of daemon: ChildProcess, at site: Site) async throws -> ChildProcess.Exit {
        let start = ContinuousClock.now
        let end = await withTaskGroup { group in
            group.addTask {
                if (try? await site.waitUntilServing()) != nil {
                    daemon.signal(SIGTERM)
                }
            }
            defer { group.cancelAll() }
            return await daemon.exit(within: endLimit)
        }
        guard ContinuousClock.now - start < endLimit else {
            throw HarnessFailure("the daemon neither serves nor ends")
        }
        return end
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
        #expect(try await site.examine("check", site.state).exit == .status(0), comment)
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
