import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import Testing
import TillClient

/// A disk of a few hundred kilobytes, which fills up at once.
@Suite struct FullDiskTests {
    @Test(.enabled(if: geteuid() == 0, "only root can mount a small disk"))
    func nothingIsAcknowledgedThatAFullDiskDidNotTake() async throws {
        try await Site.with { site in
            try site.makeState(mode: 0o700)
            guard try await mount(["-t", "tmpfs", "-o", "size=600k,mode=0700", "tmpfs", site.state], site) else {
                return print("Skipped: no disk can be mounted here.")
            }
            do {
                try await fill(site)
            } catch {
                _ = try await run("/usr/bin/umount", [site.state], site)
                throw error
            }
            try #require(try await run("/usr/bin/umount", [site.state], site))
        }
    }

    private func fill(_ site: Site) async throws {
        let daemon = try await site.startServingDaemon()
        let queue = site.queue(callTimeout: .seconds(5))
        var acknowledged: [Payment] = []
        var unanswered: Payment?
        while unanswered == nil, acknowledged.count < 10_000 {
            let payment = Payment(productID: TestStore.coins, applicationUsername: String(repeating: "u", count: 1000))
            do {
                try await queue.add(payment)
                acknowledged.append(payment)
            } catch {
                #expect(error.code == .unavailable || error.code == .deadlineExceeded)
                unanswered = payment
            }
        }
        #expect(await daemon.exit(within: .seconds(20)) == .status(EX_IOERR))
        try #require(try await mount(["-o", "remount,size=32m", site.state], site))

        let next = try await site.startServingDaemon()
        let kept = try await queue.allTransactions.reduce(into: Set<UUID>()) { $0.insert($1.id) }
        #expect(!acknowledged.isEmpty)
        #expect(kept.isSuperset(of: acknowledged.map(\.id)))
        // What had no answer is the same payment when it is sent again.
        let payment = try #require(unanswered)
        #expect(try await queue.add(payment).id == payment.id)
        await queue.close()
        next.signal(SIGTERM)
        #expect(await next.exit() == .status(0))
    }

    private func mount(_ arguments: [String], _ site: Site) async throws -> Bool {
        try await run("/usr/bin/mount", arguments, site)
    }

    private func run(_ program: String, _ arguments: [String], _ site: Site) async throws -> Bool {
        let process = try site.start(program, program, arguments, log: "programs.log")
        return await process.exit() == .status(0)
    }
}
