import FoundationEssentials
import TestValues
import Testing
@testable import TillEngine
import TillModel
import TillTesting

/// Random histories of one subscription group hold what every history has to hold.
@Suite struct SubscriptionPropertyTests {
    enum Move: CaseIterable {
        case buy, buyWithDiscount, cancel, uncancel, passDays, passMonths, failRenewals, payRenewals, decline,
            toggleGrace
        case resolve, expire, renew, revoke, askPrice, answerPrice
    }

    private static let products = ["gold", "silver", "silver.plus", "silver.yearly", "bronze"]
    private static let identity = OperatorIdentity(uid: 0, reason: "test")

    @Test(arguments: 0..<40)
    func randomHistoriesKeepTheGroupInOrder(seed: UInt64) async throws {
        try await EngineHarness().run { harness in
            var random = SplitMix64(seed: seed)
            // Without it some would have nothing to put in order.
            let first = Self.products[Int(seed) % Self.products.count]
            _ = try await harness.buy(first)
            try #require(try await harness.periods().count == 1)
            var story = ["buy \(first)"]
            for _ in 0..<30 {
                let move = Move.allCases.randomElement(using: &random) ?? .buy
                story.append("\(move)")
                try await Self.make(move, &random, harness)
                try await harness.settle()
                let faults = try await Self.faults(harness)
                guard faults.isEmpty else {
                    Issue.record("Seed \(seed): \(faults) after \(story)")
                    return
                }
            }
        }
    }

    private static func make(_ move: Move, _ random: inout SplitMix64, _ harness: EngineHarness) async throws {
        let product = products.randomElement(using: &random) ?? "gold"
        switch move {
        case .buy: _ = try await harness.buy(product)
        case .buyWithDiscount: _ = try await harness.buy("silver", discount: "winter")
        case .passDays: try await harness.pass(days: Double(Int.random(in: 0...480, using: &random)) / 24)
        case .passMonths: try await harness.pass(days: Double(Int.random(in: 20...120, using: &random)))
        case .failRenewals: harness.changeStore { $0.failsRenewals = true }
        case .payRenewals: harness.changeStore { $0.failsRenewals = false }
        case .decline: harness.provider.script(product, [.decline, .decline])
        case .toggleGrace: harness.changeStore { $0.hasGracePeriod.toggle() }
        case .cancel, .uncancel, .resolve, .expire, .renew, .revoke, .askPrice, .answerPrice:
            try await operate(move, Bool.random(using: &random), harness)
        }
    }

    /// An operator's action; a refusal changes nothing.
    private static func operate(_ move: Move, _ flag: Bool, _ harness: EngineHarness) async throws {
        guard let latest = try await harness.periods().last, let term = latest.term else {
            return
        }
        let engine = harness.engine
        do {
            switch move {
            case .cancel: _ = try await engine.setAutoRenew(latest.id, to: false, by: identity)
            case .uncancel: _ = try await engine.setAutoRenew(latest.id, to: true, by: identity)
            case .resolve: try await engine.resolveBilling(ofSubscription: term.subscription, by: identity)
            case .expire: _ = try await engine.expireSubscription(latest.id, by: identity)
            case .renew: _ = try await engine.renewSubscription(latest.id, by: identity)
            case .askPrice: _ = try await engine.requestPriceConsent(latest.id, amount: 60, by: identity)
            case .answerPrice: _ = try await engine.answerPriceConsent(latest.id, agrees: flag, by: identity)
            default:
                try await engine.commit { context in
                    var revoked = latest
                    revoked.revocation = Revocation(date: context.now, reason: .other, quantity: 1)
                    revoked.isEntitlement = false
                    try context.save(revoked)
                    return .success(try context.revokeSubscription(of: revoked))
                }
            }
        } catch  where error.code == .failedPrecondition {
            return
        }
    }

    /// The flaws of the books.
    private static func faults(_ harness: EngineHarness) async throws -> [String] {
        let periods = try await harness.periods().sorted { left, right in
            (left.term?.start ?? .distantPast, left.key) < (right.term?.start ?? .distantPast, right.key)
        }
        var faults: [String] = []
        for (earlier, later) in zip(periods, periods.dropFirst()) {
            if let old = earlier.term, let new = later.term, new.start < old.end, !old.isUpgraded,
                earlier.revocation == nil
            {
                faults.append("\(later.key) begins before \(earlier.key) ends")
            }
        }
        faults += try await chargeFaults(harness, Set(periods.map(\.key)))
        faults += try await entitlementFaults(harness, periods)
        return faults
    }

    private static func chargeFaults(_ harness: EngineHarness, _ periods: Set<Int64>) async throws -> [String] {
        let charges = try await harness.charges()
        let paid = charges.filter { $0.state == .succeeded }
        var faults: [String] = []
        if Set(paid.compactMap(\.transactionKey)).count != paid.count {
            faults.append("a charge belongs to no period, or two to one")
        }
        faults += paid.filter { !periods.contains($0.transactionKey ?? 0) }.map {
            "charge \($0.key) paid for no period"
        }
        let atProvider = harness.provider.charges
        if atProvider.values.contains(where: { $0 != 1 }) || atProvider.count != paid.count {
            faults.append("the provider charged \(atProvider.count) times, the ledger knows \(paid.count)")
        }
        for charge in paid {
            let refunds = try await harness.ledger.read { try $0.refunds(ofTransaction: charge.transactionKey ?? 0) }
            if refunds.reduce(0, { $0 + $1.amount }) > charge.request.amount {
                faults.append("more refunded than paid for charge \(charge.key)")
            }
        }
        return faults
    }

    /// Compares the entitlement with the list of transactions.
    private static func entitlementFaults(_ harness: EngineHarness, _ periods: [TransactionRecord]) async throws
        -> [String]
    {
        let now = harness.time.now()
        let status = try await harness.subscriptions().first
        let running = periods.filter { $0.revocation == nil }.filter { period in
            period.term.map { !$0.isUpgraded && $0.start <= now && now < $0.end } ?? false
        }
        var faults = running.count > 1 ? ["\(running.count) subscriptions are in force"] : []
        var naive = running.map(\.payment.productID)
        if naive.isEmpty, let status, let end = status.gracePeriodExpirationDate, now < end {
            naive = [status.productID]
        }
        let owned = try await harness.entitlements()
        if owned.map(\.productID) != naive {
            faults.append("entitled to \(owned.map(\.productID)), and not to \(naive)")
        }
        if let status, status.latestID != periods.max(by: { $0.key < $1.key })?.id {
            faults.append("the latest period is another one")
        }
        return faults
    }
}
