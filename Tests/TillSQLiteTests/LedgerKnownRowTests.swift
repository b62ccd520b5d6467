import FoundationEssentials
import TillEngine
import TillModel
import Testing

/// A commit that has read a row updates what differs from it.
@Suite("Every ledger: updates of rows that were read")
struct LedgerKnownRowTests {
    /// What one update changes of a transaction or a charge, from nothing and back.
    struct Change<Record>: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var apply: @Sendable (inout Record, Record) -> Void

        init<Value>(_ name: String, _ path: any WritableKeyPath<Record, Value> & Sendable) {
            testDescription = name
            apply = { record, other in record[keyPath: path] = other[keyPath: path] }
        }
    }

    static let transactionChanges: [Change<TransactionRecord>] = [
        Change("state", \.state), Change("revision", \.revision), Change("finishedAt", \.finishedAt),
        Change("error", \.error), Change("isEntitlement", \.isEntitlement), Change("blocker", \.blocker),
        Change("deadline", \.deadline), Change("isInterrupted", \.isInterrupted), Change("offer", \.offer),
        Change("term", \.term), Change("revocation", \.revocation),
        Change("isRevocationPending", \.isRevocationPending), Change("receipt", \.receipt),
        Change("openDisputes", \.openDisputes),
        Change("original", \.original), Change("purchasedAt", \.purchasedAt), Change("sale", \.sale),
        Change("repeats", \.repeats), Change("nothing", \.id),
    ]

    @Test(arguments: LedgerKind.allCases, transactionChanges)
    func oneChangeOfATransactionIsWritten(_ kind: LedgerKind, _ change: Change<TransactionRecord>) async throws {
        try await kind.withLedger { ledger in
            let original = try await ledger.insert(.sample(ledger.makeQueue(), revision: 1))
            let subscription = try await ledger.insert(SubscriptionRecord.sample(original))
            let before = try await ledger.insert(.sample(original.queue, revision: 2))
            var whole = TransactionRecord.whole(original.queue, subscription: subscription.key)
            whole.id = before.id
            whole.original = original.asOriginal
            whole.repeats = original.key
            let other = whole
            let changed = try await ledger.commit { writer in
                var record = try #require(try writer.transaction(before.id))
                change.apply(&record, other)
                try writer.update(record)
                return record
            }
            #expect(try await ledger.read { try $0.transaction(key: before.key) } == changed)
            try await ledger.commit { writer in
                var record = try #require(try writer.transaction(key: before.key))
                change.apply(&record, before)
                try writer.update(record)
            }
            #expect(try await ledger.read { try $0.transaction(key: before.key) } == before)
        }
    }

    static let chargeChanges: [Change<ChargeRecord>] = [
        Change("state", \.state), Change("attempts", \.attempts),
        Change("createdAt", \.createdAt), Change("dueAt", \.dueAt), Change("reference", \.reference),
        Change("amount", \.request.amount), Change("currency", \.request.currency),
        Change("amountAfterOffer", \.amountAfterOffer),
    ]

    @Test(arguments: LedgerKind.allCases, chargeChanges)
    func oneChangeOfAChargeIsWritten(_ kind: LedgerKind, _ change: Change<ChargeRecord>) async throws {
        try await kind.withLedger { ledger in
            let transaction = try await ledger.insert(.sample(ledger.makeQueue(), revision: 1))
            let before = try await ledger.insert(ChargeRecord.sample(transaction.queue, transaction.key))
            var whole = before
            whole.state = .needsReview
            whole.attempts = 7
            whole.createdAt = time(700)
            whole.dueAt = time(701)
            whole.reference = "reference"
            whole.request.amount += 1
            whole.request.currency = "JPY"
            whole.amountAfterOffer = 77
            let other = whole
            let changed = try await ledger.commit { writer in
                var charge = try #require(try writer.charge(key: before.key))
                change.apply(&charge, other)
                try writer.update(charge)
                return charge
            }
            #expect(changed != before)
            #expect(try await ledger.read { try $0.charge(key: before.key) } == changed)
        }
    }

    /// Swift takes both for equal.
    @Test(arguments: LedgerKind.allCases)
    func otherBytesOfTheSameTextAreWritten(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            var record = TransactionRecord.sample(try await ledger.makeQueue(), revision: 1)
            record.error = .whole("caf\u{E9}")
            let stored = try await ledger.insert(record)
            try await ledger.commit { writer in
                var record = try #require(try writer.transaction(key: stored.key))
                record.error = .whole("cafe\u{301}")
                try writer.update(record)
            }
            let found = try await ledger.read { try $0.transaction(key: stored.key) }
            #expect(found?.error?.message.utf8.elementsEqual("cafe\u{301}".utf8) == true)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func anAcknowledgedRevocationIsWrittenAgain(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            var record = TransactionRecord.sample(try await ledger.makeQueue(), revision: 1)
            record.isRevocationPending = true
            let stored = try await ledger.insert(record)
            try await ledger.commit { writer in
                let read = try #require(try writer.transaction(key: stored.key))
                try writer.acknowledge(1, inQueue: read.queue)
                try writer.update(read)
            }
            #expect(try await ledger.read { try $0.transaction(key: stored.key) } == stored)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func twoUpdatesInOneCommitAreBothWritten(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let last = try await ledger.commit { writer in
                var record = TransactionRecord.sample(queue, revision: 1)
                record.key = try writer.insert(record)
                record.isEntitlement = true
                record.revision = 2
                try writer.update(record)
                record.isEntitlement = false
                record.revision = 3
                try writer.update(record)
                return record
            }
            #expect(try await ledger.read { try $0.transaction(key: last.key) } == last)
        }
    }

    /// A rolled back commit leaves nothing known.
    @Test(arguments: LedgerKind.allCases)
    func aCommitThatFailedIsForgotten(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let stored = try await ledger.insert(.sample(ledger.makeQueue(), revision: 1))
            await #expect(throws: TillError.self) {
                try await ledger.commit { writer in
                    var record = try #require(try writer.transaction(key: stored.key))
                    record.isEntitlement = true
                    try writer.update(record)
                    _ = try writer.advanceRevision(ofQueue: record.queue)
                    throw TillError(.cancelled, "on purpose")
                }
            }
            let found = try await ledger.change { writer in
                (try writer.transaction(key: stored.key), try writer.queue(key: stored.queue)?.revision)
            }
            #expect(found.0 == stored)
            #expect(found.1 == 0)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func moreRowsThanStayKnownAreRead(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let records = try await ledger.insert((1...1_100).map { .sample(queue, revision: $0, type: .consumable) })
            for record in [records[0], records[1_099]] {
                let found = try await ledger.change { writer in
                    var changed = try #require(try writer.transaction(record.id))
                    changed.revision += 2_000
                    changed.finishedAt = time(1)
                    try writer.update(changed)
                    return changed
                }
                #expect(try await ledger.read { try $0.transaction(key: record.key) } == found)
                #expect(try await ledger.change { try $0.transaction(key: record.key) } == found)
            }
        }
    }
}
