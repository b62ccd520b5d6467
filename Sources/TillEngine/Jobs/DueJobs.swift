import FoundationEssentials
import TillModel

/// Something whose time has come.
enum DueJob: Hashable, Sendable {
    /// The wait for a person is over.
    case transaction(Int64)
    case subscription(Int64)
    case refund(UUID)
    /// An application has finished it in the ledger's database.
    case finish(Int64)

    /// Jobs of one kind do not hold up those of others.
    var kind: String {
        switch self {
        case .transaction: "transaction"
        case .subscription: "subscription"
        case .refund: "refund"
        case .finish: "finish"
        }
    }
}

/// Does work whose time has come: ends waits for a person, renews subscriptions, asks about refunds, and follows the finishes in
/// the ledger's database.
final class DueJobs: Sendable {
    private let purchasing: Purchasing
    private let renewing: Renewing
    private let refunds: RefundJobs
    private let access: LedgerAccess
    private let time: any TimeSource

    init(
        _ purchasing: Purchasing,
        _ renewing: Renewing,
        _ refunds: RefundJobs,
        access: LedgerAccess,
        time: any TimeSource
    ) {
        self.purchasing = purchasing
        self.renewing = renewing
        self.refunds = refunds
        self.access = access
        self.time = time
    }

    /// Due subscriptions that are looked through for those with something to do.
    private static let dueSubscriptionsMaximum = 1024

    func run(_ runner: JobRunner<DueJob, DueJob>) async throws {
        try await runner.run(
            find: { limit in
                let now = self.time.now()
                return try await self.access.ledger.read { try self.dueJobs(at: now, limit: limit, $0) }
            },
            perform: { job, _ in
                try await self.access.perform { () throws(TillError) in try await self.process(job) }
            }
        )
    }

    /// Due jobs, and jobs that lie further ahead than they can unless the clock was set back: the kinds take turns, so
    /// that none holds up the others.
    private func dueJobs(at now: Date, limit: Int, _ ledger: any LedgerReader) throws -> [DueJob] {
        let waitEnd = now.addingTimeInterval(purchasing.configuration.deadlines.longest.timeInterval)
        let refundEnd = now.addingTimeInterval(ChargeStep.horizon)
        let kinds: [[DueJob]] = [
            try ledger.overdueTransactions(at: now, limit: limit).map { .transaction($0.key) },
            try dueSubscriptions(at: now, limit: limit, ledger).map { .subscription($0.key) },
            try ledger.dueRefunds(at: now, limit: limit).map { .refund($0.id) },
            try ledger.refunds(dueAfter: refundEnd, limit: limit).map { .refund($0.id) },
            try ledger.transactions(waitingBeyond: waitEnd, limit: limit).map { .transaction($0.key) },
            try ledger.finishesInDatabase(inQueue: nil, limit: limit).map { .finish($0) },
        ]
        let turns = kinds.map(\.count).max() ?? 0
        return Array(
            (0..<turns).lazy.flatMap { turn in kinds.compactMap { turn < $0.count ? $0[turn] : nil } }.prefix(limit)
        )
    }

    /// Due subscriptions without those whose renewal has to wait, which would be found again and again.
    private func dueSubscriptions(at now: Date, limit: Int, _ ledger: any LedgerReader) throws -> [SubscriptionRecord] {
        var found: [SubscriptionRecord] = []
        for record in try ledger.dueSubscriptions(at: now, limit: Self.dueSubscriptionsMaximum)
        where found.count < limit {
            if try !renewing.hasToWait(record, at: now, ledger) {
                found.append(record)
            }
        }
        return found
    }

    private func process(_ job: DueJob) async throws(TillError) {
        switch job {
        case .transaction(let key): try await expire(key)
        case .subscription(let key): try await advance(subscription: key)
        case .refund(let id): try await refunds.process(id)
        case .finish(let key): try await finish(key)
        }
    }

    private func finish(_ key: Int64) async throws(TillError) {
        try await access.commit(isOwn: true, about: .key(key)) { context in
            .success(try Finishing.follow(key, &context))
        }
    }

    private func expire(_ key: Int64) async throws(TillError) {
        try await access.commit(isOwn: true) { context in .success(try self.purchasing.expire(key, &context)) }
    }

    /// Does the subscription's due steps in order, until none is due or a charge is under way. Each step is a commit.
    func advance(subscription key: Int64) async throws(TillError) {
        while try await access.commit(isOwn: true, { context in .success(try self.renewing.takeStep(key, &context)) }) {
        }
    }
}
