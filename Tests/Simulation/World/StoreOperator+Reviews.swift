import FoundationEssentials
import TillEngine
import TillInvariants
import TillMemoryLedger
import TillModel

extension StoreOperator {
    /// Resolves an interrupted payment, or has an unpaid renewal tried again.
    func resolveSomething() async {
        if world.random.chance(500), let transaction = world.random.element(of: await waiting(for: .interrupted) ?? [])
        {
            await resolve(transaction.id)
        } else if let queue = world.random.element(of: world.queues) {
            let unpaid = await subscriptions(in: queue).first {
                $0.state == .inBillingRetryPeriod || $0.state == .inGracePeriod
            }
            if let unpaid {
                await resolve(unpaid.latestID)
            }
        }
    }

    /// Resolves everything that waits for an operator.
    ///
    /// - Returns: Whether nothing waited.
    func resolveAll() async -> Bool {
        guard let interrupted = await waiting(for: .interrupted), let inReview = await waiting(for: .needsReview) else {
            return false
        }
        for transaction in interrupted {
            await resolve(transaction.id)
        }
        for transaction in inReview {
            if let payment = await paymentInReview(transaction.id), let review = world.book.review(of: payment) {
                await resolve(transaction.id, review)
            }
        }
        return interrupted.isEmpty && inReview.isEmpty
    }

    /// Finds the payment whose charge was given up: the transaction's own, or the next one of its subscription.
    private func paymentInReview(_ id: UUID) async -> UUID? {
        try? await world.disk.durable.read { ledger in
            guard let row = try ledger.transaction(id) else {
                return nil
            }
            let own = try ledger.charge(forTransaction: row.key)
            let charge =
                own?.state == .needsReview
                ? own : try row.term.flatMap { try ledger.chargeInReview(ofSubscription: $0.subscription) }
            return charge?.request.paymentID
        }
    }

    /// States the outcome of a refund that was given up, as in the provider's book, once no request of the refund is
    /// under way any more.
    func reviewRefund(_ order: RefundOrder) async {
        await caller.pause(HostileProvider.lateMaximum)
        await resolve(order.id, world.book.review(ofRefund: order.id))
    }

    private func resolve(_ id: UUID, _ review: ReviewOutcome? = nil) async {
        world.note("operator: resolves \(id.text)\(review.map { ", \($0)" } ?? "")")
        do throws(TillError) {
            _ = try await caller.call { (engine) throws(TillError) in
                try await engine.resolve(id, review: review, by: Self.identity)
            }
        } catch {
            world.note("operator: the resolution was answered \(error)")
        }
    }

    /// Lists transactions that need attention; nil if the daemon did not answer.
    private func waiting(for attention: TransactionFilter.Attention) async -> [Transaction]? {
        try? await caller.call { (engine) throws(TillError) in
            let filter = TransactionFilter(attention: attention)
            return try await engine.operatorTransactions(
                matching: filter,
                token: 0,
                limit: PaymentEngine.findPageMaximum
            ).page
                .map(\.transaction)
        }
    }
}
