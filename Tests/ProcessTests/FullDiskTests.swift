import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import Testing
import TillClient

/// A ledger that cannot grow.
@Suite struct FullDiskTests {
    @Test(.enabled("no disk can be mounted here; root can, outside of most containers", SmallDisk.isAvailable))
    func nothingIsAcknowledgedThatAFullDiskDidNotTake() async throws {
        try await Site.with { site in
            let disk = try #require(try await SmallDisk(at: site, size: "600k"))
            do {
                let daemon = try await site.startServingDaemon()
                let customer = try await Customer.fill(site, until: daemon)
                #expect(try await disk.remount(size: "32m"))
                try await customer.expectAllIsThere(at: site)
            } catch {
                try await disk.unmount()
                throw error
            }
            try await disk.unmount()
        }
    }

    @Test func nothingIsAcknowledgedBeyondTheLimitOfAFilesSize() async throws {
        try await Site.with { site in
            let daemon = try site.startDaemon(wrapper: ["/usr/bin/prlimit", "--fsize=600000"])
            try await site.waitUntilServing()
            let customer = try await Customer.fill(site, until: daemon)
            try await customer.expectAllIsThere(at: site)
        }
    }

    /// The purchases before the disk was full.
    private struct Customer {
        private let queue: PaymentQueue
        private var acknowledged: [Payment] = []
        private var unanswered: Payment?

        /// Buys until a purchase is not answered and the daemon has ended.
        static func fill(_ site: Site, until daemon: ChildProcess) async throws -> Customer {
            var customer = Customer(queue: site.queue(callTimeout: .seconds(5)))
            while customer.unanswered == nil, customer.acknowledged.count < 10_000 {
                let username = String(repeating: "u", count: 1000)
                let payment = Payment(productID: TestStore.coins, applicationUsername: username)
                do {
                    try await customer.queue.add(payment)
                    customer.acknowledged.append(payment)
                } catch {
                    #expect(error.code == .unavailable || error.code == .deadlineExceeded)
                    customer.unanswered = payment
                }
            }
            #expect(await daemon.exit(within: .seconds(20)) == .status(EX_IOERR))
            #expect(try site.log().contains("tilld: The daemon stopped"))
            return customer
        }

        /// With free space, the ledger has every answered purchase, and a retry of the last one is the same payment.
        func expectAllIsThere(at site: Site) async throws {
            let next = try await site.startServingDaemon()
            let kept = try await queue.allTransactions.reduce(into: Set<UUID>()) { $0.insert($1.id) }
            #expect(!acknowledged.isEmpty)
            #expect(kept.isSuperset(of: acknowledged.map(\.id)))
            let payment = try #require(unanswered)
            #expect(try await queue.add(payment).id == payment.id)
            await queue.close()
            next.signal(SIGTERM)
            #expect(await next.exit() == .status(0))
            #expect(try await site.integrity() == ["ok"])
        }
    }
}
