import TillEngine
import TillModel

extension Visit {
    /// Ends all subscriptions.
    func endSubscriptions() async -> Bool {
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
                // The simulation does not wait for the end of an hour or a month.
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

    /// Turns a subscription's renewal on or off.
    func changeRenewal() async {
        if let subscription = await subscriptions()?.first {
            _ = await setAutoRenew(subscription, to: !subscription.willAutoRenew)
        }
    }

    /// - Returns: Whether the change is refused because the subscription has ended permanently. Its status does not
    ///   show this while a renewal is being charged.
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

    /// Lists the subscriptions; nil if the daemon did not answer.
    private func subscriptions() async -> [SubscriptionStatus]? {
        let name = shopper.queue
        return try? await call { (engine) throws(TillError) in
            try await engine.subscriptions(in: name, token: 0, limit: 64).page
        }
    }
}
