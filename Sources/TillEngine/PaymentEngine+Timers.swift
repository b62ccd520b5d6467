import FoundationEssentials
import TillModel

/// Something whose time has come.
enum DueJob: Hashable, Sendable {
    /// The wait for a person is over.
    case transaction(Int64)
    case subscription(Int64)
    case refund(UUID)
}

extension PaymentEngine {
    func runTimers(_ timers: JobRunner<DueJob, DueJob>) async throws {
        try await timers.run(
            find: { _, limit in
                let now = self.time.now()
                let longest = self.configuration.deadlines.longest
                return try await self.ledger.read { try Self.dueJobs(at: now, longest: longest, limit: limit, $0) }
            },
            perform: { job, _ in
                try await self.perform { () throws(TillError) in try await self.process(job) }
            }
        )
    }

    /// What is due, and what lies further ahead than it can unless the clock was set back.
    private static func dueJobs(at now: Date, longest: Duration, limit: Int, _ ledger: any LedgerReader) throws
        -> [DueJob]
    {
        let waitEnd = now.addingTimeInterval(longest.timeInterval)
        let refundEnd = now.addingTimeInterval(ChargeStep.horizon)
        let jobs =
            try ledger.overdueTransactions(at: now, limit: limit).map { DueJob.transaction($0.key) }
            + ledger.dueSubscriptions(at: now, limit: limit).map { .subscription($0.key) }
            + ledger.dueRefunds(at: now, limit: limit).map { .refund($0.id) }
            + ledger.refunds(dueAfter: refundEnd, limit: limit).map { .refund($0.id) }
            + ledger.transactions(waitingBeyond: waitEnd, limit: limit).map { .transaction($0.key) }
        return Array(jobs.prefix(limit))
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
