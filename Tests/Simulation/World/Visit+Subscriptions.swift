import TillEngine
import TillModel

extension Visit {
    /// Has nothing renew any more.
    func haveSubscriptionsEnded() async -> Bool {
        guard world.profile.subscribes else {
            return true
        }
        guard let list = await subscriptions() else {
            return false
        }
        var areOver = true
        for subscription in list where await !setAutoRenew(subscription, to: false) {
            areOver = false
            if world.profile.renewsSeldom {
                // Nobody waits for the end of an hour or a month.
                await expire(subscription)
            }
        }
        return areOver
    }

    private func expire(_ subscription: SubscriptionStatus) async {
        let id = subscription.latestID
        _ = try? await call { (engine) throws(TillError) in
            try await engine.expireSubscription(id, by: StoreOperator.identity)
        }
    }

    /// Has a subscription renew, or not.
    func changeRenewal() async {
        if let subscription = await subscriptions()?.first {
            _ = await setAutoRenew(subscription, to: !subscription.willAutoRenew)
        }
    }

    /// - Returns: Whether it is refused, because the subscription has ended for good: what it shows while a renewal is
    ///   being paid for does not tell.
    private func setAutoRenew(_ subscription: SubscriptionStatus, to isOn: Bool) async -> Bool {
        let id = subscription.latestID
        do throws(TillError) {
            _ = try await call { (engine) throws(TillError) in
                try await engine.setAutoRenew(id, to: isOn, by: StoreOperator.identity)
            }
            return false
        } catch {
            return error.code == .failedPrecondition
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
