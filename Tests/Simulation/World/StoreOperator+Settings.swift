import TillEngine
import TillInvariants
import TillModel

/// The country of the store, as far as its operator can know.
struct KnownCountry {
    /// Nil after a change that was not answered.
    private var code: String? = StoreSettings().storefront

    /// - Returns: The country, if the store was certainly elsewhere before and is there now.
    mutating func move(to country: String, isAnswered: Bool) -> String? {
        defer { code = isAnswered && code != nil ? country : nil }
        return isAnswered && code != nil && code != country ? country : nil
    }
}

extension StoreOperator {
    /// The values that the operator sets, by setting.
    private static let choices: [(name: StoreSettings.Key, values: [String])] = [
        (.storefront, SimulatedCatalogue.countries.keys.sorted()), (.storefront, ["DEU"]),
        (.interruptedPurchases, ["true", "false"]), (.interruptedPurchases, ["true"]),
        (.interruptedAsDeferred, ["true", "false"]), (.billingRetry, ["true", "false"]),
        (.gracePeriod, ["true", "false"]), (.failTransactions, ["true", "false"]),
        (.authorization, AuthorizationPolicy.allCases.map { "\($0)" }), (.askToBuy, ["true", "false"]),
        (.timeRate, [TimeRate.oneRenewalEveryTwoSeconds, .oneRenewalEveryTenSeconds].map { "\($0.rawValue)" }),
    ]

    /// Changes a setting of the store.
    func changeSettings() async {
        let choices = Self.choices.filter { $0.name != .timeRate || !world.profile.renewsSeldom }
        guard let (name, values) = world.random.element(of: choices),
            let value = world.random.element(of: values)
        else {
            return
        }
        world.note("operator: sets \(name.rawValue) to \(value)")
        let asked = world.stamp()
        let isAnswered = await change([name.rawValue: value], resetAll: false)
        if name == .storefront, let moved = country.move(to: value, isAnswered: isAnswered), !world.hasCopies {
            note(.storefrontMoved(country: moved, asked: asked))
        }
    }

    /// Resets the store's settings, and resolves everything that waits for an operator.
    func restoreOrder() async {
        while !(await change([:], resetAll: true)), !Task.isCancelled {
            await caller.pause(Self.look)
        }
        if world.profile.mayNeedReview {
            // A request that was given up may still arrive within this time.
            await caller.pause(HostileProvider.lateMaximum)
        }
        while !(await resolveAll()), !Task.isCancelled {
            await caller.pause(world.look(every: Self.look))
        }
        if world.profile.advances > 0, !Task.isCancelled {
            // No faults occur any more, so nothing excuses undone work.
            await advanceClock()
        }
    }

    /// - Returns: Whether the daemon confirmed the change.
    private func change(_ changes: [String: String?], resetAll: Bool) async -> Bool {
        let settings = try? await caller.call { (engine) throws(TillError) in
            try await engine.changeSettings(changes, resetAll: resetAll, by: Self.identity)
        }
        guard settings != nil else {
            return false
        }
        // The change concerns the whole store, so only one history notes it.
        world.queues.first.map { note(.actAnswered(action: "ChangeSettings", subject: "settings", identity: nil), $0) }
        return true
    }
}
