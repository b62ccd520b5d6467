import FoundationEssentials
@testable import TillEngine
import TillModel
import TillTesting

extension EngineHarness {
    /// Does all due work, and waits until no charge is under way.
    func settle() async throws {
        while true {
            let now = time.now()
            let (due, open) = try await ledger.read { ledger in
                let charges = try ledger.charges(afterKey: 0, limit: 10_000).filter { $0.state == .open }
                return (try ledger.dueSubscriptions(at: now, limit: 100), charges.count)
            }
            guard !due.isEmpty || open > 0 else {
                return
            }
            for subscription in due {
                try await engine.dueJobs.advance(subscription: subscription.key)
            }
            try await Task.yieldUnlessCancelled()
        }
    }

    /// Moves the clock by so many days, and does the work that is due by then.
    func pass(days: Double) async throws {
        time.advance(by: days * 86400)
        try await settle()
    }

    /// Buys with a discount, and returns the final transaction.
    func buy(_ product: String, discount: String) async throws -> Transaction {
        let payment = Payment(productID: product, discount: SubscriptionSamples.discount(discount))
        let added = try await engine.addPayment(payment, to: Self.notes)
        return added.state.isFinal ? added : try await final(payment.id, after: added.revision)
    }

    /// How the groups stand.
    func subscriptions() async throws -> [SubscriptionStatus] {
        try await engine.subscriptions(in: Self.notes, token: 0, limit: 64).page
    }

    /// All purchased transactions of periods, by key.
    func periods() async throws -> [TransactionRecord] {
        try await ledger.read { ledger in
            guard let queue = try ledger.queue(Self.notes) else {
                return []
            }
            return try ledger.transactions(in: queue.key, changedAfter: 0, limit: 10_000)
                .filter { $0.term != nil && $0.state == .purchased }
                .sorted { $0.key < $1.key }
        }
    }

    /// Everything that the account owns now.
    func entitlements(limit: Int = 64) async throws -> [Entitlement] {
        var all: [Entitlement] = []
        var token: UInt64? = 0
        while let page = token {
            let (found, next) = try await engine.entitlements(in: Self.notes, token: page, limit: limit)
            all += found
            token = next
        }
        return all
    }

    func charges() async throws -> [ChargeRecord] {
        try await ledger.read { try $0.charges(afterKey: 0, limit: 10_000) }
    }
}

extension TransactionRecord {
    /// The product, the days of its period counted from the first purchase, and its special properties.
    func periodSummary(since start: Date) -> String {
        guard let term else {
            return payment.productID
        }
        let days = [term.start, term.end].map { "\(Int(($0.timeIntervalSince(start) / 86400).rounded()))" }
        return [
            payment.productID, days.joined(separator: "-"), term.isRenewal ? "renewal" : nil,
            term.isUpgraded ? "upgraded" : nil, offer.map { "\($0.paymentMode)" },
        ].compactMap(\.self).joined(separator: " ")
    }
}
