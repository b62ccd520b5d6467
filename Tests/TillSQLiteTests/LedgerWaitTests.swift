import FoundationEssentials
import TillEngine
import TillModel
import Testing

@Suite("Every ledger: waits, due rows and operators' searches")
struct LedgerWaitTests {
    @Test(arguments: LedgerKind.allCases)
    func waitingTransactionsAreOfTheBlockersAndTheAccountByKey(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queues = try await Self.makeQueues(ledger)
            let rows: [(queue: Int, Blocker?, TransactionState)] = [
                (0, .approval, .deferred), (1, .authorization, .purchasing), (2, .approval, .deferred),
                (0, .provider, .purchasing), (0, nil, .purchasing), (1, .approval, .deferred),
                (2, .resolution, .deferred), (0, .authorization, .failed), (1, .otherPayment, .purchasing),
            ]
            let records = try await ledger.insert(
                rows.enumerated().map { number, row in
                    .sample(queues[row.queue], revision: UInt64(50 - number), state: row.2, blocker: row.1)
                }
            )
            try await ledger.read { reader throws in
                func page(_ blockers: Set<Blocker>, _ account: String?, after key: Int64 = 0, _ limit: Int = 9) throws
                    -> [Int]
                {
                    try reader.transactions(waitingFor: blockers, account: account, afterKey: key, limit: limit)
                        .compactMap(records.firstIndex)
                }
                #expect(try page([.approval, .authorization], nil) == [0, 1, 2, 5])
                #expect(try page([.approval, .authorization], nil, 3) == [0, 1, 2])
                #expect(try page([.approval, .authorization], nil, after: records[1].key, 1) == [2])
                #expect(try page([.approval, .authorization], "uid:1") == [0, 1, 5], "of both applications")
                #expect(try page([.approval, .authorization], "uid:1", after: records[0].key, 1) == [1])
                #expect(try page([.approval], "uid:2") == [2])
                #expect(try page(Set(Blocker.allCases), nil) == [0, 1, 2, 5, 6, 8], "none of the provider's")
                #expect(try page(Set(Blocker.allCases), "nobody").isEmpty)
                #expect(try page([], nil).isEmpty)
                #expect(try page([.approval], nil, -1).isEmpty)
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func overdueTransactionsArePendingOnesTheLongestDueFirst(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let records = try await ledger.insert([
                .sample(queue, revision: 1, state: .deferred, deadline: time(30)),
                .sample(queue, revision: 2, state: .purchasing, deadline: time(10)),
                .sample(queue, revision: 3, state: .failed, deadline: time(5)),
                .sample(queue, revision: 4, state: .deferred), .sample(queue, revision: 5, deadline: time(10)),
            ])
            try await ledger.read { reader throws in
                #expect(try reader.overdueTransactions(at: time(9), limit: 9).isEmpty)
                #expect(try reader.overdueTransactions(at: time(10), limit: 9) == [records[1], records[4]])
                #expect(try reader.overdueTransactions(at: time(99), limit: 9) == [records[1], records[4], records[0]])
                #expect(try reader.overdueTransactions(at: time(99), limit: 1) == [records[1]])
                #expect(try reader.overdueTransactions(at: time(99), limit: -1).isEmpty)
                #expect(
                    try reader.transactions(waitingBeyond: time(9), limit: 9) == [records[0], records[4], records[1]]
                )
                #expect(try reader.transactions(waitingBeyond: time(10), limit: 9) == [records[0]])
                #expect(try reader.transactions(waitingBeyond: time(9), limit: 1) == [records[0]])
                #expect(try reader.transactions(waitingBeyond: time(30), limit: 9).isEmpty)
                #expect(try reader.transactions(waitingBeyond: time(9), limit: -1).isEmpty)
                #expect(try reader.nextDue() == time(10))
            }
            try await ledger.commit { writer in
                for var record in records {
                    record.state = .failed
                    try writer.update(record)
                }
            }
            #expect(try await ledger.read { try $0.overdueTransactions(at: time(99), limit: 9) }.isEmpty)
            #expect(try await ledger.read { try $0.nextDue() } == nil)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func nextDueIsTheEarliestOfAll(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            #expect(try await ledger.read { try $0.nextDue() } == nil)
            let steps: [(due: Int, insert: @Sendable (any LedgerWriter, TransactionRecord) throws -> Void)] = [
                (50, { writer, _ in _ = try writer.insert(.sample(queue, revision: 2, deadline: time(50))) }),
                (40, { writer, record in try writer.insert(RefundRecord.sample(record, due: 40)) }),
                (30, { writer, record in _ = try writer.insert(SubscriptionRecord.sample(record, due: 30)) }),
                (20, { writer, _ in _ = try writer.insert(ChargeRecord.sample(queue, nil, due: 20)) }),
                (20, { writer, record in try writer.insert(RefundRecord.sample(record, state: .failed, due: 1)) }),
                (
                    20,
                    { writer, record in
                        _ = try writer.insert(SubscriptionRecord.sample(record, group: "other", due: nil))
                    }
                ),
            ]
            let record = try await ledger.insert(.sample(queue, revision: 1))
            for step in steps {
                try await ledger.commit { try step.insert($0, record) }
                #expect(try await ledger.read { try $0.nextDue() } == time(step.due))
            }
        }
    }

    struct Search: Sendable {
        var filter: TransactionFilter
        var found: [Int]

        init(_ filter: TransactionFilter, _ found: [Int]) {
            self.filter = filter
            self.found = found
        }
    }

    static let searches = [
        Search(TransactionFilter(), [0, 1, 2, 3, 4, 5, 6]),
        Search(TransactionFilter(application: "notes"), [0, 2, 3, 5, 6]),
        Search(TransactionFilter(account: "uid:1"), [0, 1, 3, 4, 6]),
        Search(TransactionFilter(application: "notes", account: "uid:1"), [0, 3, 6]),
        Search(TransactionFilter(application: "none", account: "uid:1"), []),
        Search(TransactionFilter(productID: "coin"), [1, 2]),
        Search(TransactionFilter(productID: "caf\u{E9}"), [5]),
        Search(TransactionFilter(productID: "cafe\u{301}"), []),
        Search(TransactionFilter(state: .purchased), [3, 4, 6]),
        Search(TransactionFilter(application: "notes", productID: "pro", state: .purchased), [3, 6]),
        Search(TransactionFilter(attention: .pending), [0, 1]),
        Search(TransactionFilter(attention: .unfinished), [2, 3, 5]),
        Search(TransactionFilter(attention: .needsReview), [1, 2, 3]),
        Search(TransactionFilter(account: "uid:2", attention: .needsReview), [2]),
        Search(TransactionFilter(attention: .interrupted), [1, 5]),
        Search(TransactionFilter(application: "draw", attention: .interrupted), [1]),
        Search(TransactionFilter(attention: .revoked), [4, 6]),
        Search(TransactionFilter(application: "notes", account: "uid:1", attention: .revoked), [6]),
        Search(
            TransactionFilter(
                application: "notes",
                account: "uid:1",
                productID: "pro",
                state: .purchased,
                attention: .unfinished
            ),
            [3]
        ),
    ]

    @Test(arguments: LedgerKind.allCases, searches)
    func filterFindsByKeyInPages(_ kind: LedgerKind, _ search: Search) async throws {
        try await kind.withLedger { ledger in
            let records = try await Self.makeTransactions(ledger)
            let expected = search.found.map { records[$0] }
            try await ledger.read { reader throws in
                func page(_ key: Int64, _ limit: Int) throws -> [TransactionRecord] {
                    try reader.transactions(matching: search.filter, afterKey: key, limit: limit)
                }
                #expect(try page(0, 99).map(\.key) == expected.map(\.key))
                #expect(try page(0, 99) == expected)
                #expect(try page(0, 1) == Array(expected.prefix(1)))
                #expect(try page(expected.first?.key ?? 0, 2) == Array(expected.dropFirst().prefix(2)))
                #expect(try page(records[6].key, 9).isEmpty)
                #expect(try page(0, -1).isEmpty)
            }
        }
    }

    /// Queues of uid:1 with two applications, then of uid:2 with the first of them.
    private static func makeQueues(_ ledger: any Ledger) async throws -> [Int64] {
        try await ledger.change { writer in
            try [("notes", "uid:1"), ("draw", "uid:1"), ("notes", "uid:2")].map {
                try writer.createQueue(QueueName(application: $0, account: $1)).key
            }
        }
    }

    private static func makeTransactions(_ ledger: any Ledger) async throws -> [TransactionRecord] {
        let queues = try await makeQueues(ledger)
        var interrupted = TransactionRecord.sample(queues[2], revision: 2, product: "caf\u{E9}", state: .failed)
        interrupted.isInterrupted = true
        var revoked = [
            TransactionRecord.sample(queues[1], revision: 4, state: .purchased, finishedAt: time(9)),
            .sample(queues[0], revision: 6, state: .purchased, finishedAt: time(9)),
        ]
        revoked[0].revocation = Revocation(date: time(50), reason: .other, quantity: 1)
        revoked[1].revocation = Revocation(date: time(40), reason: .applicationIssue, quantity: 1)
        let records = try await ledger.insert([
            .sample(queues[0], revision: 7),
            .sample(queues[1], revision: 5, product: "coin", state: .deferred, blocker: .resolution),
            .sample(queues[2], revision: 3, product: "coin", state: .failed),
            .sample(queues[0], revision: 9, state: .purchased), revoked[0], interrupted, revoked[1],
        ])
        let states = [ChargeRecord.State.open, .needsReview, .needsReview, .succeeded]
        let subscription = try await ledger.insert(SubscriptionRecord.sample(records[3]))
        _ = try await ledger.insert(
            zip(records, states).map { ChargeRecord.sample($0.queue, $0.key, state: $1) }
                + [subscription.key, nil].map {
                    ChargeRecord.sample(queues[0], nil, subscription: $0, state: .needsReview)
                }
        )
        return records
    }
}
