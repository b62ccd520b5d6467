import Foundation
import Testing
import TillEngine
import TillModel
import TillSQLite

@Suite struct LedgerRemovalTests {
    @Test func aRemovedTransactionLeavesNothing() async throws {
        let ledger = try SQLiteLedger.inMemory()
        try await EngineHarness(ledger: ledger).run { store in
            let pro = try await store.own("pro")
            let coins = try await store.own("coins")
            let keys = try await ledger.read { ledger in
                try [pro, coins].compactMap { try ledger.transaction($0.id)?.key }
            }
            let copy = try ledger.copy(removing: Set(keys.prefix(1)))
            #expect(copy.id != ledger.id)
            try await copy.read { copy in
                #expect(try copy.transaction(pro.id) == nil)
                #expect(try copy.transaction(coins.id)?.payment.productID == "coins")
                #expect(try copy.charges(afterKey: 0, limit: 9).map(\.transactionKey) == [keys.last])
                #expect(try copy.history(ofTransaction: keys[0]).isEmpty)
                #expect(try !copy.history(ofTransaction: keys[1]).isEmpty)
                let queue = try #require(try copy.queue(EngineHarness.notes))
                #expect(try copy.entitlement(to: "pro", in: queue.key) == nil)
                // An earlier cursor has to restart.
                #expect(queue.floor == queue.revision)
            }
            // The other ledger is as it was.
            #expect(try await ledger.read { try $0.transaction(pro.id) } != nil)
        }
    }

    @Test func restoredCopiesGoWithTheirOriginal() async throws {
        let ledger = try SQLiteLedger.inMemory()
        try await EngineHarness(ledger: ledger).run { store in
            let pro = try await store.own("pro")
            _ = try await store.engine.restoreCompletedTransactions(
                .version7(),
                applicationUsername: nil,
                in: EngineHarness.notes
            )
            _ = try await store.events(after: nil) { $0.contains { $0.transaction?.state == .restored } }
            let key = try #require(try await ledger.read { try $0.transaction(pro.id)?.key })
            let rest = try await ledger.copy(removing: [key]).read {
                try $0.transactions(matching: TransactionFilter(), afterKey: 0, limit: 9)
            }
            #expect(rest.isEmpty)
        }
    }

    @Test func keysAreNotGivenOutAgain() async throws {
        let ledger = try SQLiteLedger.inMemory()
        try await EngineHarness(ledger: ledger).run { store in
            _ = try await store.own("coins")
        }
        let keys = try await Self.keys(ledger)
        let copy = try ledger.copy(removing: keys)
        try await EngineHarness(ledger: copy).run { store in
            _ = try await store.own("coins")
        }
        let again = try await Self.keys(copy)
        #expect(again.count == 1 && keys.isDisjoint(with: again))
    }

    private static func keys(_ ledger: SQLiteLedger) async throws -> Set<Int64> {
        Set(
            try await ledger.read { ledger in
                try ledger.transactions(matching: TransactionFilter(), afterKey: 0, limit: 9).map(\.key)
            }
        )
    }
}
