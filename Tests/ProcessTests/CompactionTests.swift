import FaultRuns
import Foundation
import GRDB
import Glibc
import ProcessTesting
import Testing

@testable import TillSQLite

/// Runs `tilld ledger compact` on a ledger whose receipts and histories were removed, and kills it at one system call after
/// another, or makes the call fail.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled("strace is not installed") { FileManager.default.isExecutableFile(atPath: Tracer.program) }
)
struct CompactionTests {
    private static let rowCount = 2000
    private static let rows = """
        WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < \(rowCount))
        INSERT INTO transactions (key, queue, id, product_id, created_at, place, revision, state, amount, currency,
            charge_state, charge_due_at, detail, history, receipt_header, receipt)
        SELECT t.key + i, queue, CAST(printf('%016d', i) AS BLOB), product_id, created_at, place, revision + i, state, amount,
            currency, charge_state, charge_due_at, detail, history, receipt_header, receipt
        FROM transactions t, numbers;
        UPDATE transactions SET history = x'', receipt_header = NULL, receipt = NULL WHERE id <> \
        (SELECT id FROM transactions ORDER BY key LIMIT 1);
        UPDATE queues SET revision = revision + \(rowCount);
        """

    @Test func aCompactedLedgerHasTheSameRowsInFewerPages() async throws {
        try await Self.withPrunedLedger { site in
            let (before, rows) = (try Self.bytes(site), try Self.rows(site))
            let (exit, lines) = try await Self.compact(site, ["--json"])
            #expect(exit == .status(0), "\(lines)")
            let after = try Self.bytes(site)
            #expect(lines == [#"{"bytes_after":\#(after),"bytes_before":\#(before)}"#])
            #expect(after < before / 2)
            #expect(try Self.rows(site) == rows)
            try await Self.expectServed(site, "once compacted")
        }
    }

    @Test(arguments: [("pwrite64", 97), ("fdatasync", 2), ("fsync", 1), ("rename", 1)])
    func aKillLeavesTheLedgerAsItWasOrCompacted(_ call: String, step: Int) async throws {
        var count = 1
        var exit = ChildProcess.Exit.signal(SIGKILL)
        while exit == .signal(SIGKILL) {
            let fault = "signal=KILL:when=\(count)"
            try await Self.withPrunedLedger { site in
                let rows = try Self.rows(site)
                exit = try await Self.compact(site, with: fault, of: call).exit
                #expect(count > 1 || exit == .signal(SIGKILL), "there is no call of \(call)")
                try await Self.expectServed(site, "after \(fault) of \(call)")
                #expect(try Self.rows(site) == rows, "after \(fault) of \(call)")
                #expect(try await Self.compact(site).exit == .status(0), "after \(fault) of \(call)")
            }
            count += step
        }
        #expect(exit == .status(0), "call \(count - step) of \(call)")
    }

    @Test(arguments: [
        ("pwrite64", "error=ENOSPC:when=60+", EX_CANTCREAT), ("fdatasync", "error=EIO:when=1+", EX_CANTCREAT),
        ("rename", "error=EACCES:when=1", EX_CANTCREAT),
    ])
    func aFailureLeavesTheLedgerAsItWas(_ call: String, fault: String, status: Int32) async throws {
        try await Self.withPrunedLedger { site in
            let before = try Data(contentsOf: URL(filePath: site.ledger))
            let (exit, lines) = try await Self.compact(site, with: fault, of: call)
            #expect(exit == .status(status) && lines.count == 1, "\(lines)")
            #expect(try Data(contentsOf: URL(filePath: site.ledger)) == before)
            let names = try FileManager.default.contentsOfDirectory(atPath: site.state)
            #expect(!names.contains { $0.contains(".new") }, "\(names)")
        }
    }

    @Test func aLedgerInUseIsRefused() async throws {
        try await Site.with { site in
            let daemon = try await site.startServingDaemon()
            let (exit, lines) = try await Self.compact(site)
            #expect(exit == .status(EX_CANTCREAT))
            #expect(lines.first?.contains("in use") == true, "\(lines)")
            daemon.signal(SIGTERM)
            #expect(await daemon.exit() == .status(0))
        }
    }

    @Test func aDirectoryWithoutALedgerIsRefused() async throws {
        try await Site.with { site in
            let (exit, lines) = try await Self.compact(site)
            #expect(exit == .status(EX_CANTCREAT))
            #expect(lines == ["tilld: There is no ledger in \(site.state): name the state directory of a daemon."])
        }
    }

    private static func withPrunedLedger(_ body: (Site) async throws -> Void) async throws {
        try await Site.with { site in
            try await site.makeLedger()
            try fill(site)
            try await body(site)
        }
    }

    private static func fill(_ site: Site) throws {
        let queue = try DatabaseQueue(path: site.ledger, configuration: .guardingPages)
        try queue.write { try $0.execute(sql: rows) }
        _ = try queue.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try queue.close()
    }

    private static func bytes(_ site: Site) throws -> Int {
        try Data(contentsOf: URL(filePath: site.ledger)).count
    }

    /// What the ledger has, without the numbers of its pages.
    private static func rows(_ site: Site) throws -> [Row] {
        let queue = try DatabaseQueue(path: site.ledger, configuration: .guardingPages)
        defer { try? queue.close() }
        return try queue.read { try Row.fetchAll($0, sql: "SELECT * FROM transactions ORDER BY key") }
    }

    private static func compact(
        _ site: Site,
        _ options: [String] = [],
        with fault: String? = nil,
        of call: String = ""
    ) async throws -> Site.Result {
        let command = [Binaries.daemon, "ledger", "compact", "--state", site.state] + options
        let wrapper = fault.map { Tracer(calls: [call], fault: $0).command(log: site.path("calls.log")) } ?? []
        let all = wrapper + command
        return try await site.result(of: all[0], Array(all.dropFirst()))
    }

    private static func expectServed(_ site: Site, _ comment: Comment) async throws {
        let (exit, findings) = try await site.examine("check", site.state)
        #expect(exit == .status(0), "\(comment): \(findings)")
        let daemon = try await site.startServingDaemon()
        daemon.signal(SIGTERM)
        #expect(await daemon.exit() == .status(0), comment)
        #expect(try await site.examine("check", site.state).exit == .status(0), comment)
    }
}
