import FoundationEssentials
import TillModel

/// Something whose time has come.
enum DueJob: Hashable, Sendable {
    /// The wait for a person is over.
    case transaction(Int64)
    case subscription(Int64)
    case refund(UUID)

    /// Jobs of one kind do not hold up those of others.
    var kind: String {
        switch self {
        case .transaction: "transaction"
        case .subscription: "subscription"
        case .refund: "refund"
        }
    }
}

extension PaymentEngine {
    /// Due subscriptions that are looked through for those with something to do.
    private static let dueSubscriptionsMaximum = 1024

    func runTimers(_ timers: JobRunner<DueJob, DueJob>) async throws {
        try await timers.run(
            find: { _, limit in
                let now = self.time.now()
                return try await self.ledger.read { try self.dueJobs(at: now, limit: limit, $0) }
            },
            perform: { job, _ in
                try await self.perform { () throws(TillError) in try await self.process(job) }
            }
        )
    }

    /// What is due, and what lies further ahead than it can unless the clock was set back: of each kind in turn, so that
    /// none holds up the others.
    private func dueJobs(at now: Date, limit: Int, _ ledger: any LedgerReader) throws -> [DueJob] {
        let waitEnd = now.addingTimeInterval(configuration.deadlines.longest.timeInterval)
        let refundEnd = now.addingTimeInterval(ChargeStep.horizon)
        let kinds: [[DueJob]] = [
            try ledger.overdueTransactions(at: now, limit: limit).map { .transaction($0.key) },
            try dueSubscriptions(at: now, limit: limit, ledger).map { .subscription($0.key) },
            try ledger.dueRefunds(at: now, limit: limit).map { .refund($0.id) },
            try ledger.refunds(dueAfter: refundEnd, limit: limit).map { .refund($0.id) },
            try ledger.transactions(waitingBeyond: waitEnd, limit: limit).map { .transaction($0.key) },
        ]
        let turns = kinds.map(\.count).max() ?? 0
        return Array(
            (0..<turns).lazy.flatMap { turn in kinds.compactMap { turn < $0.count ? $0[turn] : nil } }.prefix(limit)
        )
    }

    /// Due subscriptions but for those whose renewal has to wait: they would be found again and again.
    private func dueSubscriptions(at now: Date, limit: Int, _ ledger: any LedgerReader) throws -> [SubscriptionRecord] {
        var found: [SubscriptionRecord] = []
        for record in try ledger.dueSubscriptions(at: now, limit: Self.dueSubscriptionsMaximum)
        where found.count < limit {
            if try !hasToWait(record, at: now, ledger) {
                found.append(record)
            }
        }
        return found
    }

    /// Whether the next thing for a subscription is a renewal while another payment of its group is under way.
    private func hasToWait(_ record: SubscriptionRecord, at now: Date, _ ledger: any LedgerReader) throws -> Bool {
        let facts = SubscriptionStep.Facts(product: soldProduct(record.renewalProductID), settings: settings)
        guard case .renew = SubscriptionStep.next(record, facts, now: now) else {
            return false
        }
        let exclusivity = SubscriptionPurchase.exclusivity(ofGroup: record.groupID)
        do {
            return try !ledger.unsettledCharges(exclusivity: exclusivity, in: record.queue, limit: 1).isEmpty
        } catch let error as TillError where error.code == .dataLoss {
            // The step meets it again, which holds up nobody else.
            return false
        }
    }

    private func process(_ job: DueJob) async throws(TillError) {
        switch job {
        case .transaction(let key): try await expire(key)
        case .subscription(let key): try await advance(subscription: key)
        case .refund(let id): try await processRefund(id)
        }
    }

    /// Fails a payment that nobody has answered in time. When the clock was set back, the wait begins anew.
    private func expire(_ key: Int64) async throws(TillError) {
        try await commit(isOwn: true) { context in
            guard var transaction = try context.ledger.transaction(key: key), !transaction.state.isFinal,
                let deadline = transaction.deadline
            else {
                return .success(())
            }
            let longest = context.now.addingTimeInterval(self.configuration.deadlines.longest.timeInterval)
            guard deadline <= longest else {
                transaction.deadline = longest
                try context.note(key, "the clock was set back, or waits are shorter now: the wait begins anew")
                _ = try context.save(transaction)
                return .success(())
            }
            guard deadline <= context.now, let purchase = try self.purchase(of: transaction, context) else {
                return .success(())
            }
            try context.note(key, "nobody answered in time")
            _ = try self.fail(purchase, Self.expired(transaction.blocker), &context)
            return .success(())
        }
    }

    private static func expired(_ blocker: Blocker?) -> PaymentError {
        let message =
            switch blocker {
            case .approval: "Nobody approved the purchase in time."
            case .resolution: "The interruption of the purchase was not resolved in time."
            default: "Nobody answered the question for consent in time."
            }
        return PaymentError(.paymentCancelled, message, reason: .expired)
    }
}
