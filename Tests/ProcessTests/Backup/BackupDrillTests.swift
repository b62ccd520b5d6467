import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import TestValues
import Testing
import TillClient

/// Backups at random moments while customers buy, each restored and examined.
@Suite(.serialized) struct BackupDrillTests {
    static let drillsDefault = 3
    static let customersDefault = 8

    private static func number(_ variable: String, default value: Int) -> Int {
        ProcessInfo.processInfo.environment[variable].flatMap { Int($0) } ?? value
    }

    /// The figures of one drill.
    private struct Figures {
        var payments = 0
        var bytes = 0
        var backup = Duration.zero
        var answeredMeanwhile = 0
    }

    @Test(.timeLimit(.minutes(120)))
    func everyPaymentThatWasAnsweredBeforeIsInTheBackup() async throws {
        var random = SplitMix64.fromEnvironment()
        let drills = Self.number("TILL_BACKUP_DRILLS", default: Self.drillsDefault)
        let customers = Self.number("TILL_BACKUP_CUSTOMERS", default: Self.customersDefault)
        print("Backup drills: \(drills) with \(customers) customers; repeat them with TILL_TEST_SEED=\(random.seed)")
        try await Site.with { site in
            let daemon = try await site.startServingDaemon()
            let buyers = Buyers()
            for number in 1...drills {
                let moment = Duration.milliseconds(Int.random(in: 0...600, using: &random))
                let figures = try await drill(site, buyers, customers: customers, at: moment)
                print("drill \(number): \(figures)")
            }
            #expect(buyers.errors == [])
            try await site.stop(daemon)
        }
    }

    private func drill(_ site: Site, _ buyers: Buyers, customers: Int, at moment: Duration) async throws -> Figures {
        var figures = Figures()
        async let buying: Void = buyers.buy(from: site, customers: customers)
        await Alarm.after(moment)
        let before = buyers.answered
        let start = ContinuousClock.now
        let (exit, lines) = try await site.till(["backup", site.backup, "--force"])
        figures.backup = .now - start
        figures.answeredMeanwhile = buyers.answered.count - before.count
        buyers.stop()
        await buying
        #expect(exit == .status(0), "\(lines)")
        let (restoreExit, restoreLines) = try await site.restore()
        #expect(restoreExit == .status(0), "\(restoreLines)")
        let file = try FileManager.default.attributesOfItem(atPath: site.backup)
        figures.bytes = file[.size] as? Int ?? 0

        let socket = site.path("restored.sock")
        let daemon = try site.startDaemon(state: site.restored, socket: socket)
        try await site.waitUntilServing(at: socket)
        let store = site.store(socket)
        try await waitUntilNothingIsPending(store)
        let kept = try await store.transactions().reduce(into: Set<UUID>()) { $0.insert($1.transaction.id) }
        figures.payments = kept.count
        #expect(before.subtracting(kept) == [], "answered before the backup, and not in it")
        await store.close()
        try await site.stop(daemon)

        let (checkExit, checkLines) = try await site.examine("check", site.restored)
        #expect(checkExit == .status(0), "\(checkLines)")
        try await expectBooksAgree(site, before)
        try FileManager.default.removeItem(atPath: site.restored)
        return figures
    }

    /// Waits until all charges that were open at the moment of the backup have ended.
    private func waitUntilNothingIsPending(_ store: TillOperator) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            let pending = try await store.transactions(matching: TransactionFilter(attention: .pending))
                .reduce(into: 0) { count, _ in count += 1 }
            guard pending > 0 else {
                return
            }
            guard ContinuousClock.now < deadline else {
                throw HarnessFailure("\(pending) charges did not end after the restore")
            }
            await Alarm.after(.milliseconds(10))
        }
    }

    /// The provider's record ends a moment after the ledger. So it may have a charge of a payment that the ledger lacks,
    /// but not of one that was answered before the backup.
    private func expectBooksAgree(_ site: Site, _ before: Set<UUID>) async throws {
        struct Row: Decodable {
            var payment_id: UUID
            var finding: String
        }
        let (exit, lines) = try await site.examine("reconcile", site.restored, ["--json"])
        guard exit != .status(0) else {
            return
        }
        let rows = try lines.map { try JSONDecoder().decode(Row.self, from: Data($0.utf8)) }
        let wrong = rows.filter { $0.finding != "agrees" && $0.finding != "missing in ledger" }
        #expect(wrong.isEmpty, "\(lines)")
        #expect(rows.allSatisfy { $0.finding == "agrees" || !before.contains($0.payment_id) }, "\(lines)")
    }

    @Test(.timeLimit(.minutes(5)))
    func aKilledDaemonLeavesNoFileAndLosesNothing() async throws {
        try await Site.with { site in
            let daemon = try await site.startServingDaemon()
            try await site.fill()
            let store = site.store()
            var count = 0
            await #expect(throws: TillError.self) {
                // The daemon is killed with the first bytes on their way; the rest is larger than what the sockets hold.
                try await store.backUp(because: "It will not end.") { part in
                    if count == 0 {
                        daemon.signal(SIGKILL)
                        _ = await daemon.exit()
                    }
                    count += part.bytes.count
                }
            }
            await store.close()
            #expect(count > 0)
            let next = try await site.startServingDaemon()
            #expect(!FileManager.default.fileExists(atPath: "\(site.state)/ledger.sqlite.backup"))
            #expect(try await site.till(["backup", site.backup]).exit == .status(0))
            try await site.stop(next)
            #expect(try await site.restore().exit == .status(0))
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: [true, false])
    func aLostDaemonAndAnInterruptLeaveNoFile(_ isInterrupted: Bool) async throws {
        try await Site.with { site in
            var daemon = try await site.startServingDaemon()
            try await site.fill()
            // A backup may be complete before its daemon is stopped; then another one is taken.
            for attempt in 1... {
                let log = "backup-\(attempt).log"
                let arguments = ["backup", site.backup, "--socket", site.socket]
                let process = try site.start("backup", Binaries.command, arguments, log: log)
                try await waitForTemporaryFile(site, of: process)
                daemon.signal(SIGSTOP)
                if isInterrupted {
                    process.signal(SIGINT)
                } else {
                    _ = await daemon.killNow()
                }
                let exit = await process.exit()
                daemon.signal(SIGCONT)
                guard exit != .status(0) else {
                    try FileManager.default.removeItem(atPath: site.backup)
                    daemon = isInterrupted ? daemon : try await site.startServingDaemon()
                    continue
                }
                let output = try String(contentsOfFile: site.path(log), encoding: .utf8)
                #expect(exit == (isInterrupted ? .signal(SIGINT) : .status(EX_UNAVAILABLE)), "\(output)")
                #expect(output.hasSuffix("\(site.backup) was not written.\n"), "\(output)")
                let names = try FileManager.default.contentsOfDirectory(atPath: site.directory)
                #expect(!names.contains { $0 == "backup.tar" || $0.hasPrefix(".till-") }, "\(names)")
                return
            }
        }
    }

    /// Waits until the command has written its first bytes, or has ended.
    private func waitForTemporaryFile(_ site: Site, of process: ChildProcess) async throws {
        while process.isRunning {
            let names = try FileManager.default.contentsOfDirectory(atPath: site.directory)
            if names.contains(where: { $0.hasPrefix(".till-") }) {
                return
            }
            await Alarm.after(.milliseconds(1))
        }
    }
}
