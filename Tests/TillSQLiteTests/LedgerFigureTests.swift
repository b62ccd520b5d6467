import FoundationEssentials
import TillEngine
import TillMetrics
import TillModel
import Testing

@Suite("Every ledger: figures for metrics")
struct LedgerFigureTests {
    @Test(arguments: LedgerKind.allCases)
    func anEmptyLedgerHasNothingToDo(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let figures = try await ledger.read { try $0.figures(at: time(1_000)) }
            #expect(figures.unfinished.isEmpty)
            #expect(figures.inReview.values.allSatisfy { $0 == 0 })
            #expect(figures.due.values.allSatisfy { $0 == 0 })
            #expect(figures.due.count == DueWork.allCases.count)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func unfinishedTransactionsAreCountedByWhatTheyWaitFor(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            var finished = TransactionRecord.sample(queue, revision: 20, state: .purchased)
            finished.finishedAt = time(9)
            let records = try await ledger.insert([
                .sample(queue, revision: 1, state: .purchasing, blocker: .provider),
                .sample(queue, revision: 2, state: .purchasing, blocker: nil),
                .sample(queue, revision: 3, state: .deferred, blocker: .approval),
                .sample(queue, revision: 4, state: .purchasing, blocker: .authorization),
                .sample(queue, revision: 5, state: .purchasing, blocker: .payerAction),
                .sample(queue, revision: 6, state: .purchasing, blocker: .otherPayment),
                .sample(queue, revision: 7, state: .deferred, blocker: .resolution),
                .sample(queue, revision: 8, state: .failed), .sample(queue, revision: 9, state: .purchased), finished,
            ])
            let figures = try await ledger.read { try $0.figures(at: time(1)) }
            func waiting(_ count: Int, oldest: Int) -> LedgerFigures.Waiting {
                LedgerFigures.Waiting(count: count, oldest: records[oldest].createdAt)
            }
            #expect(
                figures.unfinished == [
                    .provider: waiting(2, oldest: 0), .approval: waiting(1, oldest: 2), .user: waiting(2, oldest: 3),
                    .otherPayment: waiting(1, oldest: 5), .resolution: waiting(1, oldest: 6),
                    .application: waiting(2, oldest: 7),
                ]
            )
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func dueWorkAndReviewsAreCounted(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let records = try await ledger.insert([
                .sample(queue, revision: 1, state: .deferred, deadline: time(30)),
                .sample(queue, revision: 2, state: .purchasing), .sample(queue, revision: 3, state: .purchasing),
                .sample(queue, revision: 4, state: .purchasing),
            ])
            try await ledger.commit { writer in
                _ = try writer.insert(ChargeRecord.sample(queue, records[1].key, due: 10))
                _ = try writer.insert(ChargeRecord.sample(queue, records[2].key, state: .needsReview))
                try writer.insert(RefundRecord.sample(records[3], due: 10))
                try writer.insert(RefundRecord.sample(records[3], due: 50))
                try writer.insert(RefundRecord.sample(records[3], state: .needsReview))
            }
            let figures = try await ledger.read { try $0.figures(at: time(10)) }
            #expect(figures.inReview == [.charge: 1, .refund: 1])
            #expect(figures.due == [.charge: 1, .refund: 1, .subscription: 0, .deadline: 0])
            let later = try await ledger.read { try $0.figures(at: time(50)) }
            #expect(later.due == [.charge: 1, .refund: 2, .subscription: 0, .deadline: 1])
        }
    }
}
