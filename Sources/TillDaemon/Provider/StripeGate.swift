import FoundationEssentials
import TillModel
import TillStripe

/// Reasons not to start with Stripe, each a sentence that says what to do.
///
/// What only the simulated store has must never meet real money: a renewal every 30 seconds would charge a card as often.
enum StripeGate {
    struct Facts: Sendable {
        var key: StripeKey.Kind
        var mode: StripeKey.Mode
        var options: StripeOptions
        var environment: ReceiptEnvironment
        /// The store's settings from the catalogue and the configuration.
        var settings: StoreSettings
        /// Whether options of the simulated provider are set.
        var hasSimulatedOptions = false
        /// How far the ledger's clock was moved ahead.
        var clockOffset = Duration.zero
    }

    /// The first reason; nil without one.
    static func refusal(_ facts: Facts) -> String? {
        common(facts) ?? (facts.mode == .live ? live(facts) : nil)
    }

    private static func common(_ facts: Facts) -> String? {
        if facts.hasSimulatedOptions {
            return "The options simulated.* have no effect with the provider stripe: remove them."
        }
        guard let page = facts.options.returnURL else {
            return "stripe.return-url is missing: name the page that payers see after the payment."
        }
        guard isAllowed(page, facts.mode) else {
            return "Invalid stripe.return-url \(page): use an address that begins with https://."
        }
        guard
            facts.options.address == StripeAPI.address || facts.mode == .test && isAllowed(facts.options.address, .test)
        else {
            return """
                Invalid stripe.address \(facts.options.address): only a key of test mode may be sent to another address \
                than \(StripeAPI.address), which begins with https:// or is http:// on the loopback interface.
                """
        }
        guard facts.options.webhookAddress != nil || facts.options.webhookSecretsFile == nil else {
            return """
                stripe.webhook-secrets-file has no effect without stripe.webhook-address: set both, or neither.
                """
        }
        return nil
    }

    private static func live(_ facts: Facts) -> String? {
        if facts.key == .secret, facts.options.fullKey == .refuse {
            return """
                The key may do everything at Stripe: use a restricted key, which begins with rk_live_, or set \
                stripe.full-key to accept.
                """
        }
        guard facts.environment == .production else {
            return """
                A live key needs receipts of the environment Production, not \(facts.environment.rawValue): set \
                receipt-environment to Production.
                """
        }
        if let name = simulatedSetting(facts.settings) {
            return """
                The setting \(name) of the simulated store must not meet a live key: remove it from the catalogue and the \
                configuration.
                """
        }
        guard facts.clockOffset == .zero else {
            return """
                The ledger's clock was moved ahead, which must not meet a live key: use another state directory, with a \
                new ledger.
                """
        }
        return nil
    }

    /// A setting in force that only tests have.
    private static func simulatedSetting(_ settings: StoreSettings) -> String? {
        let inForce: [(StoreSettings.Key, Bool)] = [
            (.failTransactions, settings.failsTransactions), (.interruptedPurchases, settings.interruptsPurchases),
            (.billingRetry, settings.failsRenewals), (.timeRate, settings.timeRate != .realTime),
            (.disableDialogs, settings.areDialogsDisabled),
        ]
        return inForce.first { $0.1 }?.0.rawValue
    }

    /// Whether a browser or the daemon may open the address; without TLS only on this machine, and only in test mode.
    private static func isAllowed(_ address: String, _ mode: StripeKey.Mode) -> Bool {
        guard let url = URL(string: address), let host = url.host(), !host.isEmpty else {
            return false
        }
        return url.scheme == "https"
            || mode == .test && url.scheme == "http" && ["127.0.0.1", "localhost", "::1"].contains(host)
    }

    /// The first product whose price or offer Stripe cannot take; nil without one.
    static func refusal(_ products: [Product]) -> String? {
        for product in products.sorted(by: { $0.id < $1.id }) {
            if let reason = refusal(product) {
                return "The product \(product.id) cannot be sold through Stripe: \(reason)"
            }
        }
        return nil
    }

    private static func refusal(_ product: Product) -> String? {
        let offers = product.subscription?.offers ?? []
        for price in [product.price] + offers.map(\.price) where price.amount != 0 {
            do throws(StripeAmount.Refusal) {
                _ = try StripeAmount(charging: price)
            } catch {
                return error.description
            }
        }
        guard !offers.contains(where: { $0.price.amount == 0 }) else {
            return """
                It has a free offer, after which Stripe would have no payment method for the renewal: remove the offer, or \
                let it cost something.
                """
        }
        return nil
    }
}
