import FoundationEssentials
import TillEngine
import TillModel
import Testing

@Suite("Every ledger: subscriptions and their terms")
struct LedgerSubscriptionTests {
    @Test(arguments: LedgerKind.allCases)
    func groupHasOneSubscriptionInAQueue(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let original = try await ledger.insert(.sample(ledger.makeQueue(), revision: 1))
            let other = try await ledger.makeQueue(QueueName(application: "other", account: "a"))
            let first = try await ledger.insert(SubscriptionRecord.sample(original, group: "caf\u{E9}"))
            let second = try await ledger.insert(SubscriptionRecord.sample(original, group: "cafe\u{301}"))
            #expect(second.key > first.key)
            let error = await #expect(throws: TillError.self) { try await ledger.insert(first) }
            #expect(error?.code == .alreadyExists)
            var moved = first
            moved.queue = other
            _ = try await ledger.insert(moved)
            try await ledger.read { reader throws in
                #expect(try reader.subscription(key: first.key) == first)
                #expect(try reader.subscription(key: 77) == nil)
                #expect(try reader.subscription(toGroup: "caf\u{E9}", in: first.queue) == first)
                #expect(try reader.subscription(toGroup: "cafe\u{301}", in: first.queue) == second)
                #expect(try reader.subscription(toGroup: "CAF\u{E9}", in: first.queue) == nil)
                #expect(try reader.subscription(toGroup: "cafe\u{301}", in: other) == nil)
                #expect(try reader.subscriptions(in: first.queue, afterKey: 0, limit: 9) == [first, second])
                #expect(try reader.subscriptions(in: first.queue, afterKey: first.key, limit: 9) == [second])
                #expect(try reader.subscriptions(in: first.queue, afterKey: 0, limit: 1) == [first])
                #expect(try reader.subscriptions(in: first.queue, afterKey: 0, limit: -1).isEmpty)
                #expect(try reader.subscriptions(in: 77, afterKey: 0, limit: 9).isEmpty)
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func subscriptionNeedsWhatItRefersTo(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let original = try await ledger.insert(.sample(ledger.makeQueue(), revision: 1))
            let stored = try await ledger.insert(SubscriptionRecord.sample(original))
            let changes: [@Sendable (inout SubscriptionRecord) -> Void] = [
                { $0.queue = 77 }, { $0.original.key = 77 }, { $0.latestKey = 77 },
            ]
            for (number, change) in changes.enumerated() {
                var record = SubscriptionRecord.sample(original, group: "new")
                change(&record)
                let inserted = record
                let error = await #expect(throws: TillError.self, "\(number)") { try await ledger.insert(inserted) }
                #expect(error?.code == .notFound, "\(number)")
            }
            var lost = stored
            lost.latestKey = 77
            var absent = stored
            absent.key = 77
            for update in [lost, absent] {
                let error = await #expect(throws: TillError.self) { try await ledger.commit { try $0.update(update) } }
                #expect(error?.code == .notFound)
            }
            var record = TransactionRecord.sample(original.queue, revision: 2)
            record.term = TermRecord(subscription: 77, groupID: "g", start: time(0), end: time(1))
            let inserted = record
            let error = await #expect(throws: TillError.self) { try await ledger.insert(inserted) }
            #expect(error?.code == .notFound)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func updateOfASubscriptionReplacesWhatMayChange(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let original = try await ledger.insert(.sample(ledger.makeQueue(), revision: 1))
            let latest = try await ledger.insert(.sample(original.queue, revision: 2))
            let stored = try await ledger.insert(SubscriptionRecord.sample(original, consent: .pending, due: 5))
            var expected = SubscriptionRecord.whole(original)
            expected.key = stored.key
            expected.groupID = stored.groupID
            expected.latestKey = latest.key
            var update = expected
            update.queue = 77
            update.groupID = "other"
            update.original = latest.asOriginal
            let (sent, whole) = (update, expected)
            try await ledger.commit { try $0.update(sent) }
            try await ledger.read { reader throws in
                #expect(try reader.subscription(key: stored.key) == whole)
                #expect(try reader.dueSubscriptions(at: time(5), limit: 9) == [whole])
                #expect(try reader.dueSubscriptions(at: time(2), limit: 9).isEmpty)
            }
            try await ledger.commit { try $0.update(stored) }
            #expect(try await ledger.read { try $0.subscription(key: stored.key) } == stored)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func dueSubscriptionsComeTheLongestDueFirst(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let original = try await ledger.insert(.sample(ledger.makeQueue(), revision: 1))
            var subscriptions: [SubscriptionRecord] = []
            for due in [50, 10, nil, 30, 10] {
                let group = "group \(subscriptions.count)"
                subscriptions.append(
                    try await ledger.insert(SubscriptionRecord.sample(original, group: group, due: due))
                )
            }
            let all = subscriptions
            try await ledger.read { reader throws in
                #expect(try reader.dueSubscriptions(at: time(9), limit: 9).isEmpty)
                #expect(try reader.dueSubscriptions(at: time(30), limit: 9) == [all[1], all[4], all[3]])
                #expect(try reader.dueSubscriptions(at: time(99), limit: 2) == [all[1], all[4]])
                #expect(try reader.dueSubscriptions(at: .distantFuture, limit: 9).count == 4)
                #expect(try reader.dueSubscriptions(at: time(99), limit: -1).isEmpty)
                #expect(try reader.nextDue() == time(10))
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func subscriptionsAwaitingConsentAreOfTheAccountByKey(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queues = try await ledger.change { writer in
                try [("notes", "uid:1"), ("draw", "uid:1"), ("notes", "uid:2")].map {
                    try writer.createQueue(QueueName(application: $0, account: $1)).key
                }
            }
            let originals = try await ledger.insert(queues.map { .sample($0, revision: 1) })
            var subscriptions: [SubscriptionRecord] = []
            let rows: [(Int, PriceConsent)] = [
                (1, .pending), (2, .pending), (0, .none), (0, .pending), (1, .agreed), (1, .declined), (1, .pending),
            ]
            for (queue, consent) in rows {
                let group = "group \(subscriptions.count)"
                let record = SubscriptionRecord.sample(originals[queue], group: group, consent: consent)
                subscriptions.append(try await ledger.insert(record))
            }
            let all = subscriptions
            try await ledger.read { reader throws in
                func page(_ account: String?, _ key: Int64 = 0, _ limit: Int = 9) throws -> [SubscriptionRecord] {
                    try reader.subscriptionsAwaitingConsent(account: account, afterKey: key, limit: limit)
                }
                #expect(try page(nil) == [all[0], all[1], all[3], all[6]])
                #expect(try page(nil, all[0].key, 2) == [all[1], all[3]])
                #expect(try page("uid:1") == [all[0], all[3], all[6]])
                #expect(try page("uid:1", all[0].key, 1) == [all[3]])
                #expect(try page("uid:2") == [all[1]])
                #expect(try page("uid:3").isEmpty)
                #expect(try page(nil, 0, -1).isEmpty)
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func termsArePurchasedOnesAndRenewalsOfThemUnfinished(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let original = try await ledger.insert(.sample(queue, revision: 1, state: .purchased))
            let subscription = try await ledger.insert(SubscriptionRecord.sample(original)).key
            let other = try await ledger.insert(SubscriptionRecord.sample(original, group: "other")).key
            func term(_ subscription: Int64, isRenewal: Bool = true) -> TermRecord {
                TermRecord(subscription: subscription, groupID: "g", start: time(0), end: time(1), isRenewal: isRenewal)
            }
            var first = original
            first.term = term(subscription, isRenewal: false)
            let update = first
            try await ledger.commit { try $0.update(update) }
            var revoked = TransactionRecord.sample(queue, revision: 4, state: .purchased, term: term(subscription))
            revoked.revocation = Revocation(date: time(2), reason: .other, quantity: 1)
            let records = try await ledger.insert([
                .sample(queue, revision: 9, state: .purchased, term: term(subscription)),
                .sample(queue, revision: 8, state: .purchased, finishedAt: time(9), term: term(subscription)),
                .sample(queue, revision: 7, state: .purchased, term: term(other)),
                .sample(queue, revision: 6, state: .restored, term: term(subscription)),
                .sample(queue, revision: 5, state: .purchased, term: term(subscription)),
                revoked,
            ])
            try await ledger.read { reader throws in
                func renewals(_ limit: Int) throws -> [TransactionRecord] {
                    try reader.unfinishedRenewals(ofSubscription: subscription, limit: limit)
                }
                func terms(_ key: Int64, _ limit: Int) throws -> [TransactionRecord] {
                    try reader.terms(ofSubscription: subscription, afterKey: key, limit: limit)
                }
                #expect(try renewals(9) == [records[0], records[4]])
                #expect(try renewals(1) == [records[0]])
                #expect(try renewals(-1).isEmpty)
                #expect(try terms(0, 9) == [update, records[0], records[1], records[4], records[5]])
                #expect(try terms(original.key, 2) == [records[0], records[1]])
                #expect(try terms(0, -1).isEmpty)
                #expect(try reader.terms(ofSubscription: 77, afterKey: 0, limit: 9).isEmpty)
            }
        }
    }
}
