import FoundationEssentials
import Testing
@testable import TillEngine
import TillModel
import TillTesting

/// Receipts and histories that are removed after a time, and all that stays.
@Suite(.timeLimit(.minutes(10))) struct RetentionTests {
    private static let by = OperatorIdentity(uid: 501, reason: "asked by phone")
    private static let day: TimeInterval = 24 * 3600

    enum Purchase: CaseIterable {
        case finishedConsumable, declined, repeated, restoredCopy
        case unfinishedConsumable, nonConsumable, subscription, inReview, refundInReview, unseenRevocation

        /// Whether it loses its receipt and its history.
        var isPruned: Bool {
            switch self {
            case .finishedConsumable, .declined, .repeated, .restoredCopy: true
            case .unfinishedConsumable, .nonConsumable, .subscription, .inReview, .refundInReview, .unseenRevocation:
                false
            }
        }
    }

    @Test(arguments: Purchase.allCases)
    func onlyWhatNothingNeedsIsPruned(_ purchase: Purchase) async throws {
        let harness = EngineHarness { $0.purchasingDeadline = .seconds(10) }
        try await harness.run { harness in
            let id = try await Self.make(purchase, harness)
            let before = try #require(try await harness.record(id))
            let history = try await harness.storedHistory(of: id)
            try #require(before.receipt != nil || !history.isEmpty)
            try await harness.prune(days: 1)
            let after = try #require(try await harness.record(id))
            #expect((after.receipt == nil) == (purchase.isPruned || before.receipt == nil))
            #expect(try await harness.storedHistory(of: id) == (purchase.isPruned ? [] : history))
            var same = before
            same.receipt = after.receipt
            #expect(after == same, "nothing else changes")
        }
    }

    private static func make(_ purchase: Purchase, _ harness: EngineHarness) async throws -> UUID {
        switch purchase {
        case .finishedConsumable: return try await harness.own("coins").id
        case .unfinishedConsumable: return try await harness.buy("coins").id
        case .nonConsumable: return try await harness.own("pro").id
        case .subscription: return try await harness.own("monthly").id
        case .declined:
            harness.provider.script("coins", [.decline])
            return try await harness.own("coins").id
        case .repeated:
            _ = try await harness.own("pro")
            return try await harness.own("pro").id
        case .restoredCopy:
            _ = try await harness.own("pro")
            let copy = try #require(try await harness.restore().compactMap(\.transaction).last)
            _ = try await harness.engine.finishTransaction(copy.id, in: EngineHarness.notes)
            return copy.id
        case .inReview:
            harness.provider.setReachable(false)
            let payment = Payment(productID: "coins")
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            try await harness.advance(until: payment.id)
            _ = try await harness.engine.finishTransaction(payment.id, in: EngineHarness.notes)
            return payment.id
        case .refundInReview:
            let bought = try await harness.own("coins")
            try await harness.insertMoneyRefund(of: bought.id, amount: 99, state: .needsReview)
            return bought.id
        case .unseenRevocation:
            let bought = try await harness.own("coins")
            _ = try await harness.engine.refund(RefundOrder(transactionID: bought.id), by: by)
            return bought.id
        }
    }

    @Test(
        arguments: [\TransactionRecord.isEntitlement, \.isInterrupted, \.isRevocationPending]
            as [any WritableKeyPath<TransactionRecord, Bool> & Sendable]
    )
    func aRowThatIsStillNeededIsNot(_ property: any WritableKeyPath<TransactionRecord, Bool> & Sendable) {
        var record = Self.finished
        #expect(record.isPrunable(before: Self.finishedAt.addingTimeInterval(1)))
        #expect(!record.isPrunable(before: Self.finishedAt), "it was not finished before then")
        record[keyPath: property] = true
        #expect(!record.isPrunable(before: .distantFuture))
    }

    @Test func aRowWithAnOpenDisputeIsNot() {
        var record = Self.finished
        record.openDisputes = ["du_1"]
        #expect(!record.isPrunable(before: .distantFuture))
    }

    private static let finishedAt = Date(timeIntervalSince1970: 1_700_000_000)
    private static var finished: TransactionRecord {
        let payment = Payment(productID: "coins")
        return TransactionRecord(
            queue: 1,
            id: payment.id,
            payment: payment,
            productType: .consumable,
            state: .purchased,
            revision: 3,
            createdAt: finishedAt,
            finishedAt: finishedAt
        )
    }

    @Test func aPrunedPaymentIsNotChargedAgain() async throws {
        try await EngineHarness().run { harness in
            let payment = Payment(productID: "coins", quantity: 3, applicationUsername: "ada")
            let added = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            _ = try await harness.final(payment.id, after: added.revision)
            _ = try await harness.engine.finishTransaction(payment.id, in: EngineHarness.notes)
            var same = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            try await harness.prune(days: 1)
            same.receipt = nil
            #expect(try await harness.engine.addPayment(payment, to: EngineHarness.notes) == same)
            var other = payment
            other.quantity = 4
            let changed = other
            await expect(.alreadyExists) {
                _ = try await harness.engine.addPayment(changed, to: EngineHarness.notes)
            }
            #expect(harness.provider.charges == [payment.id: 1])
            let exported = try await ExportTests.entries(harness.engine)
            #expect(exported.map(\.paymentID) == [payment.id], "accounting keeps it")
        }
    }

    /// The receipt says that it is revoked, and stays as long as any other.
    @Test func aRefundSignsAPrunedPurchaseAgain() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.own("coins")
            try await harness.prune(days: 400)
            _ = try await harness.engine.refund(RefundOrder(transactionID: bought.id), by: Self.by)
            #expect(try await harness.record(bought.id)?.receipt?.body == "coins.purchased.99-USD.revoked-1.USA")
            _ = try await harness.events(after: bought.revision) { events in
                events.contains { $0.summary == "revoked coins" }
            }
            while try await harness.record(bought.id)?.isRevocationPending == true {
                try await Task.yieldUnlessCancelled()
            }
            #expect(try await harness.prune(days: 0.5, retention: 1) == 0, "the refund is younger than a day")
            #expect(try await harness.prune(days: 1) == 1)
            #expect(try await harness.record(bought.id)?.revocation?.quantity == 1)
            #expect(try await harness.refunds(of: bought.id).map(\.state) == [.succeeded])
        }
    }

    @Test func anOperatorGetsAPrunedReceiptBack() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.own("coins")
            try await harness.prune(days: 1)
            let why = try await harness.engine.explanation(ofTransaction: bought.id)
            #expect(
                why.sentence.hasSuffix(
                    "Its receipt and its history were removed after the time that `retention` gives them."
                )
            )
            #expect(why.history.map(\.detail) == ["added to the queue", "finished by the application"])
            _ = try await harness.engine.rebuildReceipt(of: bought.id, by: Self.by)
            #expect(try await harness.record(bought.id)?.receipt?.compact == bought.receipt)
            let rebuilt = try await harness.engine.explanation(ofTransaction: bought.id)
            #expect(!rebuilt.sentence.contains("retention"))
        }
    }

    @Test func aFailedPaymentWithoutAHistoryIsNotTakenForPruned() async throws {
        try await EngineHarness().run { harness in
            let refused = try await harness.own("unknown")
            #expect(refused.state == .failed)
            #expect(try await harness.storedHistory(of: refused.id).isEmpty)
            let why = try await harness.engine.explanation(ofTransaction: refused.id)
            #expect(!why.sentence.contains("retention"), "\(why.sentence)")
        }
    }

    /// A daemon that stops does not look at the rest of a large ledger.
    @Test func aCancelledLookEnds() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.own("coins")
            let count = try await withThrowingTaskGroup(of: Int.self) { group in
                group.cancelAll()
                group.addTask { try await harness.engine.retentionJob.prune(before: .distantFuture) }
                return try await group.next()
            }
            #expect(count == 0)
            #expect(try await harness.record(bought.id)?.receipt != nil)
        }
    }

    /// More than a page, with rows in between that stay.
    @Test func allPagesArePruned() async throws {
        try await EngineHarness().run { harness in
            let count = Int(RetentionJob.page) + 9
            for number in 0..<count {
                _ = number % 9 == 0 ? try await harness.buy("coins") : try await harness.own("coins")
            }
            let pruned = (0..<count).count { $0 % 9 != 0 }
            #expect(try await harness.prune(days: 1) == pruned)
            #expect(try await harness.prune(days: 1) == 0, "they are pruned already")
        }
    }

    @Test(arguments: [30, nil] as [TimeInterval?])
    func theEnginePrunesByItself(_ days: TimeInterval?) async throws {
        let harness = EngineHarness { configuration in
            configuration.retention = days.map { .seconds($0 * Self.day) }
        }
        try await harness.run { harness in
            let bought = try await harness.own("coins")
            for _ in 0..<29 {
                harness.time.advance(by: Self.day)
                try await Task.yieldUnlessCancelled()
            }
            #expect(try await harness.record(bought.id)?.receipt != nil)
            guard days != nil else {
                return
            }
            while try await harness.record(bought.id)?.receipt != nil {
                harness.time.advance(by: Self.day)
                try await Task.yieldUnlessCancelled()
            }
        }
    }
}

extension EngineHarness {
    /// Lets days pass, and prunes what was finished before the last of them.
    ///
    /// - Parameter retention: How many days are kept; nil for those that pass.
    /// - Returns: How many transactions were pruned.
    @discardableResult
    fileprivate func prune(days: TimeInterval, retention: TimeInterval? = nil) async throws -> Int {
        time.advance(by: days * 24 * 3600)
        let kept = (retention ?? days) * 24 * 3600
        return try await engine.retentionJob.prune(before: time.now().addingTimeInterval(1 - kept))
    }

    fileprivate func storedHistory(of id: UUID) async throws -> [HistoryRecord] {
        try await ledger.read { ledger in
            try ledger.transaction(id).map { try ledger.history(ofTransaction: $0.key) } ?? []
        }
    }
}
