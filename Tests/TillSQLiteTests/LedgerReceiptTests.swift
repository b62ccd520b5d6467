import TillEngine
import TillModel
import Testing

@Suite("Every ledger: receipts")
struct LedgerReceiptTests {
    @Test(arguments: LedgerKind.allCases)
    func receiptIsSetReplacedAndTakenBack(_ kind: LedgerKind) async throws {
        let receipts: [SignedReceipt?] = [
            nil, .sample("a", 1), .sample("a", 2), .sample("b", 3), nil, .sample("b", 3), .sample("a", 1),
        ]
        try await kind.withLedger { ledger in
            var record = try await ledger.insert(.sample(ledger.makeQueue(), revision: 1, state: .purchased))
            for receipt in receipts {
                record.receipt = receipt
                let changed = record
                try await ledger.commit { try $0.update(changed) }
                #expect(try await ledger.read { try $0.transaction(changed.id) } == changed)
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func theReceiptsTransactionsAreReadNewestFirst(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let other = try await ledger.makeQueue(QueueName(application: "org.example.draw", account: "uid:1000"))
            let first = try await ledger.insert(.sample(other, revision: 1, state: .purchased))
            let subscription = try await ledger.insert(SubscriptionRecord.sample(first)).key
            let term = TermRecord(subscription: subscription, groupID: "premium", start: time(0), end: time(9))
            var expected: [Int64] = []
            var revision: UInt64 = 0
            for state in [TransactionState.purchasing, .purchased, .failed, .restored, .deferred] {
                for type in [nil, ProductType.consumable, .nonConsumable, .nonRenewingSubscription] {
                    for (finishedAt, original) in [(nil, nil), (time(5), nil), (time(5), first.asOriginal)] {
                        for term in [nil, term] {
                            revision += 1
                            let record = try await ledger.insert(
                                .sample(
                                    queue,
                                    revision: revision,
                                    type: type,
                                    state: state,
                                    finishedAt: finishedAt,
                                    original: original,
                                    term: term
                                )
                            )
                            let isKept = type != .consumable && original == nil || term != nil
                            if state == .purchased, finishedAt == nil || isKept { expected.append(record.key) }
                        }
                    }
                }
            }
            var found: [Int64] = []
            var page: [Int64] = []
            repeat {
                let key = found.last ?? .max
                page = try await ledger.read { reader in
                    try reader.receiptTransactions(in: queue, beforeKey: key, limit: 4).map(\.key)
                }
                found += page
            } while page.count == 4
            #expect(found == expected.reversed())
            #expect(expected.count == 19)
        }
    }

    /// Both are the same to `==`.
    @Test(arguments: LedgerKind.allCases)
    func headersThatDifferInTheirBytesAreTwo(_ kind: LedgerKind) async throws {
        let headers = ["caf\u{E9}", "cafe\u{301}"]
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let records = try await ledger.insert(
                headers.enumerated().map { number, header in
                    var record = TransactionRecord.sample(queue, revision: UInt64(number))
                    record.receipt = .sample(header, number)
                    return record
                }
            )
            for (record, header) in zip(records, headers) {
                let found = try await ledger.read { try $0.transaction(record.id)?.receipt?.header }
                #expect(found.map { Array($0.utf8) } == Array(header.utf8))
            }
        }
    }

    /// The first header that is stored next gets the key of the one that is gone.
    @Test(arguments: LedgerKind.allCases, [["rolled back", "other"], ["other", "rolled back"]])
    func headerThatWasRolledBackLeavesNothing(_ kind: LedgerKind, _ headers: [String]) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            await #expect(throws: TillError.self) {
                try await ledger.commit { writer in
                    var record = TransactionRecord.sample(queue, revision: 1)
                    record.receipt = .sample("rolled back", 1)
                    let key = try writer.insert(record)
                    #expect(try writer.transaction(key: key)?.receipt == record.receipt, "it reads what it wrote")
                    throw TillError(.cancelled, "on purpose")
                }
            }
            for (number, header) in headers.enumerated() {
                var record = TransactionRecord.sample(queue, revision: UInt64(number))
                record.receipt = .sample(header, number)
                let stored = try await ledger.insert(record)
                #expect(try await ledger.read { try $0.transaction(stored.id)?.receipt } == record.receipt)
            }
        }
    }
}

extension SignedReceipt {
    static func sample(_ header: String, _ number: Int) -> SignedReceipt {
        SignedReceipt(header: header, body: "payload\(number).signature")
    }
}
