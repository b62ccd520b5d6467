import FoundationEssentials
import TillEngine
import TillModel
import Testing

@Suite("Every ledger: charges")
struct LedgerChargeTests {
    @Test(arguments: LedgerKind.allCases)
    func transactionHasOneCharge(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let record = try await ledger.insert(.sample(queue, revision: 1))
            let charge = try await ledger.insert(ChargeRecord.sample(queue, record.key))
            #expect(try await ledger.read { try $0.charge(forTransaction: record.key) } == charge)
            #expect(try await ledger.read { try $0.charge(key: charge.key) } == charge)
            #expect(try await ledger.read { try $0.charge(forTransaction: 77) } == nil)
            #expect(try await ledger.read { try $0.charge(key: 77) } == nil)
            let error = await #expect(throws: TillError.self) { try await ledger.insert(charge) }
            #expect(error?.code == .alreadyExists)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func chargesWithoutTransactionGetKeysOfTheirOwn(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let original = try await ledger.insert(.sample(queue, revision: 1))
            let subscription = try await ledger.insert(SubscriptionRecord.sample(original))
            let charges = try await ledger.insert([
                ChargeRecord.sample(queue, original.key), .sample(queue, nil, subscription: subscription.key),
                .sample(queue, nil, subscription: subscription.key),
            ])
            let next = try await ledger.insert(.sample(queue, revision: 2))
            #expect(next.key == original.key + 1, "transactions are numbered without gaps")
            let first = ChargeRecord.renewalKeys.lowerBound
            #expect(charges.map(\.key) == [original.key, first, first + 1])
            #expect(try await ledger.read { try $0.charges(afterKey: 0, limit: 9) } == charges)
            for charge in charges {
                #expect(try await ledger.read { try $0.charge(key: charge.key) } == charge)
            }
            let payments = charges.map(\.request.paymentID)
            let found = try await ledger.read { ledger in try payments.map(ledger.renewalCharge) }
            #expect(found == [nil, charges[1], charges[2]])
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func aChargeMovesToAnotherTransaction(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let records = try await ledger.insert((1...3).map { .sample(queue, revision: $0) })
            var charges = try await ledger.insert([
                ChargeRecord.sample(queue, records[0].key), .sample(queue, records[2].key),
            ])
            charges[0].transactionKey = records[1].key
            charges[0].state = .succeeded
            let moved = charges[0]
            try await ledger.commit { try $0.update(moved) }
            var expected = moved
            expected.key = records[1].key
            let found = expected
            try await ledger.read { reader throws in
                #expect(try reader.charge(forTransaction: records[0].key) == nil)
                #expect(try reader.charge(forTransaction: records[1].key) == found)
                #expect(try reader.charge(key: records[0].key) == nil)
            }
            for (target, code) in [(records[2].key, TillError.Code.alreadyExists), (77, .notFound)] {
                var next = found
                next.transactionKey = target
                let update = next
                let error = await #expect(throws: TillError.self) { try await ledger.commit { try $0.update(update) } }
                #expect(error?.code == code)
            }
            #expect(try await ledger.read { try $0.charges(afterKey: 0, limit: 9) } == [found, charges[1]])
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func chargeOfARenewalGetsItsTransactionOnce(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let original = try await ledger.insert(.sample(queue, revision: 1))
            let subscription = try await ledger.insert(SubscriptionRecord.sample(original))
            let renewal = try await ledger.insert(.sample(queue, revision: 2))
            var charges = try await ledger.insert([
                ChargeRecord.sample(queue, nil, subscription: subscription.key),
                .sample(queue, nil, subscription: subscription.key),
            ])
            charges[0].transactionKey = renewal.key
            charges[1].transactionKey = renewal.key
            let (paid, duplicate) = (charges[0], charges[1])
            try await ledger.commit { try $0.update(paid) }
            #expect(try await ledger.read { try $0.charge(forTransaction: renewal.key) } == paid)
            let taken = await #expect(throws: TillError.self) { try await ledger.commit { try $0.update(duplicate) } }
            #expect(taken?.code == .alreadyExists)
            charges[1].transactionKey = 77
            let lost = charges[1]
            let absent = await #expect(throws: TillError.self) { try await ledger.commit { try $0.update(lost) } }
            #expect(absent?.code == .notFound)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func updateOfAChargeReplacesWhatMayChange(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let record = try await ledger.insert(.sample(queue, revision: 1))
            let charge = try await ledger.insert(ChargeRecord.sample(queue, record.key, state: .waiting))
            for state in ChargeRecord.State.allCases {
                var expected = charge
                expected.state = state
                expected.attempts = state.rawValue + 1
                expected.request.amount += Int64(state.rawValue)
                expected.request.currency = "JPY"
                expected.amountAfterOffer = state == .held ? nil : Int64(state.rawValue)
                expected.createdAt = time(state.rawValue * 10 + 1)
                expected.dueAt = time(state.rawValue * 100)
                expected.reference = state == .succeeded ? "ch_1" : nil
                var update = expected
                update.request.quantity = 1
                update.queue = 77
                update.subscriptionKey = 77
                update.exclusiveGroup = "other"
                let sent = update
                try await ledger.commit { try $0.update(sent) }
                #expect(try await ledger.read { try $0.charge(forTransaction: record.key) } == expected)
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func dueChargesAreOpenOnesTheLongestDueFirst(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let charges = try await ledger.insert(
                [50, 10, 30, 20, 10].map { ChargeRecord.sample(queue, nil, due: $0) }
            )
            var ended = charges[3]
            ended.state = .declined
            let update = ended
            try await ledger.commit { try $0.update(update) }
            try await ledger.read { reader throws in
                #expect(try reader.dueCharges(at: time(9), limit: 9).isEmpty)
                #expect(try reader.dueCharges(at: time(10), limit: 9) == [charges[1], charges[4]])
                #expect(try reader.dueCharges(at: time(49), limit: 9) == [charges[1], charges[4], charges[2]])
                #expect(try reader.dueCharges(at: time(50), limit: 2) == [charges[1], charges[4]])
                #expect(try reader.dueCharges(at: time(50), limit: 9).count == 4)
                #expect(try reader.dueCharges(at: time(50), limit: -1).isEmpty)
                #expect(
                    try reader.charges(dueAfter: time(9), limit: 9) == [charges[0], charges[2], charges[4], charges[1]]
                )
                #expect(try reader.charges(dueAfter: time(10), limit: 9) == [charges[0], charges[2]])
                #expect(try reader.charges(dueAfter: time(10), limit: 1) == [charges[0]])
                #expect(try reader.charges(dueAfter: time(50), limit: 9).isEmpty)
                #expect(try reader.charges(dueAfter: time(9), limit: -1).isEmpty)
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func onlyOpenChargesAreDue(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            for state in ChargeRecord.State.allCases where state != .open {
                _ = try await ledger.insert(ChargeRecord.sample(queue, nil, state: state))
            }
            #expect(try await ledger.read { try $0.nextDue() } == nil)
            #expect(try await ledger.read { try $0.dueCharges(at: .distantFuture, limit: 9) }.isEmpty)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func theOldestRenewalInReviewIsFoundByItsSubscription(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let original = try await ledger.insert(.sample(queue, revision: 1))
            let subscription = try await ledger.insert(SubscriptionRecord.sample(original)).key
            let charges = try await ledger.insert([
                ChargeRecord.sample(queue, original.key, subscription: subscription, state: .needsReview),
                .sample(queue, nil, subscription: subscription),
                .sample(queue, nil, state: .needsReview),
                .sample(queue, nil, subscription: subscription, state: .needsReview),
                .sample(queue, nil, subscription: subscription, state: .needsReview),
            ])
            #expect(try await ledger.read { try $0.chargeInReview(ofSubscription: subscription) } == charges[3])
            var settled = charges[3]
            settled.state = .declined
            let update = settled
            try await ledger.commit { try $0.update(update) }
            #expect(try await ledger.read { try $0.chargeInReview(ofSubscription: subscription) } == charges[4])
            #expect(try await ledger.read { try $0.chargeInReview(ofSubscription: 77) } == nil)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func unsettledChargesAreOfOneExclusiveGroupTheOpenOneFirst(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let other = try await ledger.makeQueue(QueueName(application: "other", account: "a"))
            let rows: [(Int64, String?, ChargeRecord.State)] = [
                (queue, "pro", .waiting), (queue, "coin", .open), (other, "pro", .open), (queue, "pro", .succeeded),
                (queue, "pro", .open), (queue, "pro", .needsReview), (queue, "pro", .unneeded), (queue, "pro", .held),
                (queue, nil, .open), (queue, "pro", .declined), (queue, "pro", .waiting), (queue, "caf\u{E9}", .open),
            ]
            let charges = try await ledger.insert(
                rows.enumerated().map { number, row in
                    var charge = ChargeRecord.sample(row.0, nil, state: row.2, due: -number)
                    charge.exclusiveGroup = row.1
                    return charge
                }
            )
            try await ledger.read { reader throws in
                func unsettled(_ exclusiveGroup: String, _ limit: Int = 99) throws -> [ChargeRecord] {
                    try reader.unsettledCharges(exclusiveGroup: exclusiveGroup, in: queue, limit: limit)
                }
                #expect(try unsettled("pro") == [charges[4], charges[0], charges[10]])
                #expect(try unsettled("pro", 2) == [charges[4], charges[0]])
                #expect(try unsettled("pro", -1).isEmpty)
                #expect(try unsettled("none").isEmpty)
                #expect(try unsettled("caf\u{E9}") == [charges[11]])
                #expect(try unsettled("cafe\u{301}").isEmpty, "compared as bytes")
                #expect(try reader.charges(afterKey: 0, limit: 99) == charges)
                #expect(try reader.charges(afterKey: charges[1].key, limit: 2) == Array(charges[2..<4]))
                #expect(try reader.charges(afterKey: 0, limit: -1).isEmpty)
            }
        }
    }
}
