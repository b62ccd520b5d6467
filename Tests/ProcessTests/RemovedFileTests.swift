import FaultRuns
import Foundation
import Glibc
import NIOConcurrencyHelpers
import ProcessTesting
import Testing
import TillClient
import TillModel

/// A daemon whose files are removed while it serves: the next start would not find what it answers then.
@Suite struct RemovedFileTests {
    struct Removal: CustomTestStringConvertible {
        var testDescription: String
        var path: @Sendable (Site) -> String

        static let all = [
            Removal(testDescription: "the state directory") { $0.state },
            Removal(testDescription: "the ledger") { $0.ledger },
            Removal(testDescription: "the ledger's log") { "\($0.ledger)-wal" },
            Removal(testDescription: "the index of the log") { "\($0.ledger)-shm" },
            Removal(testDescription: "the lock") { "\($0.state)/lock" },
            Removal(testDescription: "the provider's record") { "\($0.state)/simulated-charges.jsonl" },
            Removal(testDescription: "the socket") { $0.socket },
        ]
    }

    @Test(arguments: Removal.all)
    func anIdleDaemonStopsAndNamesTheFile(_ removal: Removal) async throws {
        try await Site.with { site in
            let daemon = try await site.startServingDaemon()
            let path = removal.path(site)
            try FileManager.default.removeItem(atPath: path)
            #expect(await daemon.exit(within: .seconds(20)) == .status(EX_IOERR))
            let log = try site.log()
            #expect(log.contains("\(path) was removed or replaced"), "\(log)")
        }
    }

    /// The directory is renamed, so that its contents can be compared with the answers.
    @Test func nothingIsAnsweredThatTheNextStartWouldNotFind() async throws {
        try await Site.with { site in
            let daemon = try await site.startServingDaemon()
            let answered = Answered()
            let customers = Task {
                await withTaskGroup { group in
                    for _ in 0..<8 {
                        group.addTask { await answered.buy(at: site) }
                    }
                }
            }
            while answered.count < 50 {
                await Alarm.after(.milliseconds(1))
            }
            try #require(unsafe rename(site.state, site.path("elsewhere")) == 0)
            answered.note()
            #expect(await daemon.exit(within: .seconds(20)) == .status(EX_IOERR))
            customers.cancel()
            await customers.value
            #expect(answered.afterNote == 0)
        }
    }

    @Test func aDaemonThatIsToldToStopAfterItsLedgerIsGoneDoesNotEndWell() async throws {
        try await Site.with { site in
            let daemon = try await site.startServingDaemon()
            try FileManager.default.removeItem(atPath: site.state)
            daemon.signal(SIGTERM)
            #expect(await daemon.exit() == .status(EX_IOERR))
        }
    }
}

/// Payments that were answered, before and after a moment.
private final class Answered: Sendable {
    private struct Counts {
        var before = 0
        var after = 0
        var isNoted = false
    }

    private let counts = NIOLockedValueBox(Counts())

    var count: Int {
        counts.withLockedValue { $0.before + $0.after }
    }

    var afterNote: Int {
        counts.withLockedValue { $0.after }
    }

    func note() {
        counts.withLockedValue { $0.isNoted = true }
    }

    /// Adds payments until one is not answered. Payments count as late if they are requested after the moment.
    func buy(at site: Site) async {
        let queue = site.queue(callTimeout: .seconds(2))
        while !Task.isCancelled {
            let isLate = counts.withLockedValue { $0.isNoted }
            guard (try? await queue.add(Payment(productID: TestStore.coins))) != nil else {
                break
            }
            counts.withLockedValue { counts in
                counts.before += isLate ? 0 : 1
                counts.after += isLate ? 1 : 0
            }
        }
        await queue.close()
    }
}
