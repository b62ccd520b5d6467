import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import Testing
import TillClient
import TillModel

/// `tilld ledger new-timeline` after an older copy of the database took the ledger's place.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled(if: PostgresCluster.isInstalled, "Debian's package postgresql-15 is not installed")
)
struct DatabaseTimelineTests {
    @Test func aRestoredLedgerTellsEverythingAgainAndGivesNewIdentifiers() async throws {
        let cluster = try PostgresCluster()
        defer { try? cluster.stop() }
        let copy = cluster.address.replacing("/postgres?", with: "/copy?")
        let maintenance = cluster.address.replacing("/postgres?", with: "/template1?")
        try await Site.with { site in
            let first = try await site.startServingDaemon(["--ledger", cluster.address])
            let queue = site.queue()
            let kept = try await queue.purchase(Payment(productID: TestStore.coins))
            try await site.stop(first)
            _ = try await site.query("CREATE DATABASE copy TEMPLATE postgres", at: maintenance)

            // What the copy lacks, and this client has seen.
            let second = try await site.startServingDaemon(["--ledger", cluster.address])
            var changes = queue.changes.makeAsyncIterator()
            let lost = try await queue.purchase(Payment(productID: TestStore.pro))
            while case let change = try await changes.next(), change?.isAbout(lost.id) == false {}
            try await site.stop(second)

            let begun = try await Self.newTimeline(copy, site, "--json")
            #expect(begun.exit == .status(0), "\(begun.lines)")
            let third = try await site.startServingDaemon(["--ledger", copy])
            while let change = try await changes.next() {
                #expect(!change.isAbout(lost.id), "the copy does not have it")
                if change.isAbout(kept.id) {
                    break
                }
            }
            let new = try await queue.purchase(Payment(productID: TestStore.coins))
            let numbers = [kept, lost, new].compactMap { $0.purchase.flatMap { Int64($0.transactionIdentifier) } }
            #expect(numbers.count == 3 && numbers[0] < numbers[1] && numbers[1] < numbers[2], "\(numbers)")
            let running = try await Self.newTimeline(copy, site)
            #expect(running.exit == .status(EX_CANTCREAT), "\(running.lines)")
            await queue.close()
            try await site.stop(third)
        }
    }

    static let refusals: [(database: String, status: Int32, words: String)] = [
        ("template1", EX_CANTCREAT, "There is no ledger in"), ("nowhere", EX_TEMPFAIL, "does not exist"),
    ]

    @Test(arguments: refusals)
    func aDatabaseWithoutALedgerIsRefused(database: String, status: Int32, words: String) async throws {
        let cluster = try PostgresCluster()
        defer { try? cluster.stop() }
        try await Site.with { site in
            let result = try await Self.newTimeline(
                cluster.address.replacing("/postgres?", with: "/\(database)?"),
                site
            )
            #expect(result.exit == .status(status))
            #expect(result.lines.contains { $0.contains(words) }, "\(result.lines)")
        }
    }

    private static func newTimeline(_ address: String, _ site: Site, _ more: String...) async throws -> Site.Result {
        try await site.result(of: Binaries.daemon, ["ledger", "new-timeline", "--ledger", address] + more)
    }
}

extension Change {
    fileprivate func isAbout(_ id: UUID) -> Bool {
        if case .updated(let transactions) = self { transactions.contains { $0.id == id } } else { false }
    }
}
