import FoundationEssentials
import TillEngine
import TillModel
import Testing

@Suite("Every ledger: refunds")
struct LedgerRefundTests {
    @Test(arguments: LedgerKind.allCases)
    func refundsOfATransactionComeTheOldestFirst(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let records = try await ledger.insert([.sample(queue, revision: 1), .sample(queue, revision: 2)])
            let refunds = [records[0], records[1], records[0]].map { RefundRecord.sample($0) }
            try await ledger.commit { writer in try refunds.forEach(writer.insert) }
            try await ledger.read { reader throws in
                #expect(try reader.refund(refunds[1].id) == refunds[1])
                #expect(try reader.refund(UUID()) == nil)
                #expect(try reader.refunds(ofTransaction: records[0].key) == [refunds[0], refunds[2]])
                #expect(try reader.refunds(ofTransaction: 77).isEmpty)
                let keys = records.map(\.key)
                #expect(try reader.refunds(ofTransactions: keys[0]...keys[1]) == [refunds[0], refunds[2], refunds[1]])
                #expect(try reader.refunds(ofTransactions: keys[1]...77) == [refunds[1]])
            }
            let error = await #expect(throws: TillError.self) { try await ledger.commit { try $0.insert(refunds[0]) } }
            #expect(error?.code == .alreadyExists)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func refundNeedsItsQueueAndItsTransaction(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let record = try await ledger.insert(.sample(ledger.makeQueue(), revision: 1))
            var stray = RefundRecord.sample(record)
            stray.queue = 77
            var lost = RefundRecord.sample(record)
            lost.transactionKey = 77
            for refund in [stray, lost] {
                let error = await #expect(throws: TillError.self) { try await ledger.commit { try $0.insert(refund) } }
                #expect(error?.code == .notFound)
            }
            let unknown = RefundRecord.sample(record)
            let error = await #expect(throws: TillError.self) { try await ledger.commit { try $0.update(unknown) } }
            #expect(error?.code == .notFound)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func updateOfARefundReplacesWhatMayChange(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let record = try await ledger.insert(.sample(ledger.makeQueue(), revision: 1))
            let refund = RefundRecord.sample(record)
            try await ledger.commit { try $0.insert(refund) }
            for state in RefundRecord.State.allCases {
                var expected = refund
                expected.quantity = state.rawValue
                expected.state = state
                expected.attempts = state.rawValue + 3
                expected.dueAt = time(state.rawValue * 100)
                expected.reference = state == .succeeded ? "re_1" : nil
                var update = expected
                update.transactionKey = 77
                update.queue = 77
                update.amount = 1
                update.currency = "JPY"
                update.reason = .applicationIssue
                update.createdAt = time(77)
                let (sent, whole) = (update, expected)
                try await ledger.commit { try $0.update(sent) }
                #expect(try await ledger.read { try $0.refund(refund.id) } == whole)
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func dueRefundsAreOpenOnesTheLongestDueFirst(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let record = try await ledger.insert(.sample(ledger.makeQueue(), revision: 1))
            let rows: [(Int, RefundRecord.State)] = [
                (50, .open), (10, .open), (1, .succeeded), (2, .failed), (3, .needsReview), (30, .open), (10, .open),
            ]
            let refunds = rows.map { RefundRecord.sample(record, state: $1, due: $0) }
            try await ledger.commit { writer in try refunds.forEach(writer.insert) }
            try await ledger.read { reader throws in
                #expect(try reader.dueRefunds(at: time(9), limit: 9).isEmpty)
                #expect(try reader.dueRefunds(at: time(30), limit: 9) == [refunds[1], refunds[6], refunds[5]])
                #expect(try reader.dueRefunds(at: time(99), limit: 2) == [refunds[1], refunds[6]])
                #expect(try reader.dueRefunds(at: time(99), limit: -1).isEmpty)
                #expect(try reader.refunds(dueAfter: time(10), limit: 9) == [refunds[0], refunds[5]])
                #expect(try reader.refunds(dueAfter: time(10), limit: 1) == [refunds[0]])
                #expect(try reader.refunds(dueAfter: time(50), limit: 9).isEmpty)
                #expect(try reader.refunds(dueAfter: time(9), limit: -1).isEmpty)
                #expect(try reader.nextDue() == time(10))
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func disputedTransactionsAreFoundInTheirQueue(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let records = try await ledger.insert((1...4).map { .sample(queue, revision: UInt64($0)) })
            let changed = try await ledger.commit { writer in
                try [2, 1].map { index in
                    var record = records[index]
                    record.openDisputes = ["du_\(index)", "du_9"]
                    try writer.update(record)
                    return record
                }
            }
            try await ledger.read { reader throws in
                #expect(try reader.disputedTransactions(in: queue, limit: 9) == changed.reversed())
                #expect(try reader.disputedTransactions(in: queue, limit: 1) == [changed[1]])
                #expect(try reader.disputedTransactions(in: queue, limit: -1).isEmpty)
                #expect(try reader.disputedTransactions(in: 77, limit: 9).isEmpty)
            }
            try await ledger.commit { try $0.update(records[1]) }
            #expect(try await ledger.read { try $0.disputedTransactions(in: queue, limit: 9) } == [changed[0]])
        }
    }
}
