import FaultRuns
import Foundation
import GRDB
import Glibc
import ProcessTesting
import Testing
import TillClient
import TillProviders
import TillSQLite

/// Runs `tilld check` on the state that a real daemon left, intact and damaged.
@Suite(.timeLimit(.minutes(5))) struct CheckTests {
    /// A change behind the daemon's back, and the finding that the check must report.
    struct Damage: CustomTestStringConvertible {
        var testDescription: String
        var finding: String
        var apply: @Sendable (Site) throws -> Void
    }

    private static let damages = [
        Damage(testDescription: "a page", finding: "ledger: The ledger") { site in
            try flip(site.ledger, at: 2 * 4096 + 100)
        },
        Damage(testDescription: "an unused page", finding: "ledger: The ledger") { site in
            try change(site, "CREATE TABLE more AS SELECT * FROM transactions; DROP TABLE more")
            try flip(site.ledger, at: Data(contentsOf: URL(filePath: site.ledger)).count - 100)
        },
        Damage(testDescription: "a reference", finding: "ledger: The ledger") { site in
            try change(site, "UPDATE transactions SET queue = queue + 7", foreignKeys: false)
        },
        Damage(testDescription: "a place", finding: "ledger: The ledger") { site in
            try change(site, "UPDATE transactions SET place = 7 - place")
        },
        Damage(testDescription: "a mark", finding: "ledger: The ledger") { site in
            try change(site, "INSERT INTO marks (kind, owner, name, key) VALUES (9, 0, '', 1)")
        },
        Damage(
            testDescription: "the audit log",
            finding: "audit: The audit log was changed from entry 2 on."
        ) {
            try change($0, "UPDATE audit SET reason = 'another' WHERE sequence = 2")
        },
        Damage(testDescription: "a receipt", finding: "receipts: Transaction ") { site in
            try change(
                site,
                "UPDATE transactions SET receipt = CAST(substr(receipt, 1, 99) || '!' || substr(receipt, 101) AS BLOB)"
            )
        },
        Damage(testDescription: "the provider's record", finding: "provider: Line 1 of ") { site in
            try flip("\(site.state)/\(SimulatedRecord.fileName)", at: 20)
        },
    ]

    @Test func anIntactStatePassesAndIsUnchanged() async throws {
        try await Self.withState { site in
            let before = try Self.contents(site)
            let (status, lines) = try await site.examine("check", site.state)
            #expect(status == .status(0))
            #expect(lines.map { $0.prefix { $0 != ":" } } == ["ledger", "audit", "receipts", "provider"])
            #expect(lines.contains("audit: 2 entries read, no damage"))
            #expect(lines.contains("receipts: 1 receipts read, no damage"))
            #expect(lines.contains("provider: 1 charges read, no damage"))
            #expect(try Self.contents(site) == before)
        }
    }

    @Test(arguments: damages)
    func everyDamageIsReported(_ damage: Damage) async throws {
        try await Self.withState { site in
            try damage.apply(site)
            let (status, lines) = try await site.examine("check", site.state)
            #expect(status == .status(1), "\(lines)")
            #expect(lines.contains { $0.hasPrefix(damage.finding) }, "\(lines)")
            let part = damage.finding.prefix { $0 != ":" }
            #expect(lines.contains { $0.hasPrefix("\(part):") && $0.hasSuffix(", 1 DAMAGED") }, "\(lines)")
            // Nobody takes a part for intact that was not read.
            let unread = ["audit", "receipts"].map { "\($0): NOT READ, because the ledger is damaged" }
            #expect(lines.filter(unread.contains) == (part == "ledger" ? unread : []), "\(lines)")
        }
    }

    @Test func receiptsOfAnotherRootAreReportedOneByOne() async throws {
        try await Self.withState { site in
            let root = "\(site.state)/receipts/root.pem"
            let old = site.path("old.pem")
            try FileManager.default.copyItem(atPath: root, toPath: old)
            try FileManager.default.removeItem(atPath: "\(site.state)/receipts")
            let warning = "New certificates sign receipts from now on; earlier receipts end in another root"
            #expect(try !site.log().contains(warning), "the first start has no earlier receipts")
            let daemon = try await site.startServingDaemon()
            daemon.signal(SIGTERM)
            #expect(await daemon.exit() == .status(0))
            #expect(try site.log().contains(warning))
            let (status, lines) = try await site.examine("check", site.state, ["--json"])
            #expect(status == .status(1))
            let finding = try #require(lines.first { $0.contains("transaction_id") })
            #expect(finding.contains("do not end in the given root"))
            #expect(try await site.examine("check", site.state, ["--root", old]).exit == .status(0))
            let (refusal, sentence) = try await site.examine("check", site.state, ["--root", site.path("none")])
            #expect(refusal == .status(EX_DATAERR))
            #expect(sentence == ["tilld: \(site.path("none")) cannot be read as a certificate in PEM or DER."])
        }
    }

    @Test func aStateInUseIsRefused() async throws {
        try await Self.withState { site in
            _ = try await site.startServingDaemon()
            let (status, lines) = try await site.examine("check", site.state)
            #expect(status == .status(EX_CANTCREAT))
            #expect(lines.first?.contains("is in use by process") == true)
        }
    }
}

extension CheckTests {
    /// Makes a state with a purchase and two changes by an operator.
    private static func withState(_ body: (Site) async throws -> Void) async throws {
        try await Site.with { site in
            let daemon = try await site.startServingDaemon()
            let queue = site.queue()
            _ = try await queue.purchase(Payment(productID: TestStore.coins))
            await queue.close()
            let store = TillOperator(ClientConfiguration(application: Site.application, socketPath: site.socket))
            for answer in ["true", "false"] {
                try await store.changeSettings(["ask-to-buy": answer], because: "A test.")
            }
            await store.close()
            daemon.signal(SIGTERM)
            #expect(await daemon.exit() == .status(0))
            try await body(site)
        }
    }

    /// All files of the state by name, except the lock and the index of the ledger's log, which depend on the process
    /// that has it open.
    private static func contents(_ site: Site) throws -> [String: Data] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: site.state)
        let files = names.filter { $0 != "lock" && !$0.hasSuffix("-shm") }.map {
            ($0, FileManager.default.contents(atPath: "\(site.state)/\($0)") ?? Data())
        }
        return Dictionary(uniqueKeysWithValues: files)
    }

    private static func flip(_ path: String, at offset: Int) throws {
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[offset] ^= 1
        try bytes.write(to: URL(filePath: path))
    }

    /// Changes rows with Till's page checksums, so that only the rows are wrong.
    private static func change(_ site: Site, _ sql: String, foreignKeys: Bool = true) throws {
        var configuration = Configuration.guardingPages
        configuration.foreignKeysEnabled = foreignKeys
        let database = try DatabaseQueue(path: site.ledger, configuration: configuration)
        try database.write { try $0.execute(sql: sql) }
        try database.close()
    }
}
