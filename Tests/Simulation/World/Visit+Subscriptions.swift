import TillEngine
import TillModel

extension Visit {
    private static let identity = OperatorIdentity(uid: 1000, reason: "simulated")

    /// Has nothing renew any more.
    func haveSubscriptionsEnded() async -> Bool {
        guard world.profile.subscribes else {
            return true
        }
        let list = await subscriptions()
        for subscription in list ?? [] where subscription.willAutoRenew {
            await setAutoRenew(subscription, to: false)
        }
        let open = list?.filter { $0.state != .expired && $0.state != .revoked }
        if world.profile.timeRate == .monthlyRenewalEveryHour {
            // Nobody waits for the end of an hour.
            for subscription in open ?? [] {
                await expire(subscription)
            }
        }
        return open?.isEmpty ?? false
    }

    private func expire(_ subscription: SubscriptionStatus) async {
        let id = subscription.latestID
        _ = try? await call { (engine) throws(TillError) in
            try await engine.expireSubscription(id, by: Self.identity)
        }
    }

    /// Has a subscription renew, or not.
    func changeRenewal() async {
        if let subscription = await subscriptions()?.first {
            await setAutoRenew(subscription, to: !subscription.willAutoRenew)
        }
    }

    private func setAutoRenew(_ subscription: SubscriptionStatus, to isOn: Bool) async {
        let id = subscription.latestID
        _ = try? await call { (engine) throws(TillError) in
            try await engine.setAutoRenew(id, to: isOn, by: Self.identity)
        }
    }

    /// Nil when the daemon did not answer.
    private func subscriptions() async -> [SubscriptionStatus]? {
        let name = shopper.queue
        return try? await call { (engine) throws(TillError) in
            try await engine.subscriptions(in: name, token: 0, limit: 64).page
        }
    }
}
