import FaultRuns
import Foundation
import ProcessTesting
import Testing
import TillClient

/// Clients that have seen changes which a restored backup does not have.
@Suite(.timeLimit(.minutes(5))) struct BackupTimelineTests {
    @Test func aClientThatIsAheadOfARestoredLedgerBeginsAgain() async throws {
        try await Site.with { site in
            let first = try await site.startServingDaemon()
            let queue = site.queue()
            var changes = queue.changes.makeAsyncIterator()
            let early = try await queue.purchase(Payment(productID: TestStore.coins))
            #expect(try await site.till(["backup", site.backup]).exit == .status(0))
            let ledger = try await queue.status().ledgerID
            try await read(&changes) { updated($0).contains(early.id) }
            // The client finishes the purchase after the backup, and sees more changes than the backup has.
            try await queue.finish(id: early.id)
            var late: Set<String> = []
            for _ in 0..<5 {
                let bought = try await queue.purchase(Payment(productID: TestStore.coins))
                late.insert(try #require(bought.purchase?.transactionIdentifier))
                try await queue.finish(id: bought.id)
            }
            try await read(&changes, until: { removed($0).contains(early.id) })
            try await site.stop(first)
            #expect(try await site.restore().exit == .status(0))

            let second = try site.startDaemon(state: site.restored)
            try await site.waitUntilServing()
            // Others bring the restored ledger further than the client's cursor, before the client is back.
            let others = site.queue()
            var new: [Transaction] = []
            for _ in 0..<12 {
                new.append(try await others.purchase(Payment(productID: TestStore.coins)))
            }
            #expect(
                late.isDisjoint(with: new.compactMap(\.purchase?.transactionIdentifier)),
                "identifiers are used again"
            )
            // The purchase that is unfinished again is delivered again, and so is every new one.
            var missing = Set(new.map(\.id) + [early.id])
            try await read(&changes) { change in
                missing.subtract(updated(change))
                return missing.isEmpty
            }
            #expect(try await queue.status().ledgerID != ledger)
            await others.close()
            await queue.close()
            try await site.stop(second)
        }
    }

    /// Reads changes until one is the last that the test waits for. A change that never arrives ends the test at its time
    /// limit.
    private func read(_ changes: inout Changes.AsyncIterator, until isLast: (Change) -> Bool) async throws {
        while let change = try await changes.next() {
            if isLast(change) {
                return
            }
        }
        throw HarnessFailure("the changes ended")
    }

    private func updated(_ change: Change) -> [UUID] {
        if case .updated(let transactions) = change { transactions.map(\.id) } else { [] }
    }

    private func removed(_ change: Change) -> [UUID] {
        if case .removed(let transactions) = change { transactions.map(\.id) } else { [] }
    }
}
