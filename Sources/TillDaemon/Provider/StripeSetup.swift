import FoundationEssentials
import Logging
import TillCatalogue
import TillEngine
package import TillModel
import TillProviders
import TillStripe

/// A configuration that the daemon refuses to start with, because it could do harm.
package struct ConfigurationFault: Error {
    package var error: TillError

    init(_ message: String) {
        error = TillError(.failedPrecondition, message)
    }

    init(_ error: TillError) {
        self.error = error
    }
}

/// Everything that the provider for Stripe needs, once the configuration is known to be harmless.
struct StripeSetup: Sendable {
    private let key: StripeKey
    private let api: StripeAPI
    private let file: StripeSecretFile<StripeKey>
    /// Nil without a webhook listener.
    let webhooks: WebhookSetup?
    private let facts: StripeGate.Facts
    private let products: [String: StripeProvider.Product]

    /// Reads the key, and sends nothing.
    ///
    /// - Throws: ``ConfigurationFault``, or `resourceExhausted`.
    init(_ configuration: DaemonConfiguration, _ catalogue: StoreKitCatalogue, logger: Logger) throws {
        do throws(TillError) {
            let credentials = configuration.credentialsDirectory
            file = try StripeSecretFile(key: configuration.stripe, credentials: credentials, logger: logger)
            key = try file.value()
            webhooks = try WebhookSetup(configuration.stripe, credentials: credentials, logger: logger)
        } catch {
            throw ConfigurationFault(error)
        }
        let settings = PaymentEngine.defaultSettings(catalogue, configuration.engine)
        let sold = catalogue.productIDs.compactMap {
            catalogue.product($0, locale: settings.locale, storefront: settings.storefront)
        }
        facts = StripeGate.Facts(
            key: key.kind,
            mode: key.mode,
            options: configuration.stripe,
            environment: configuration.receiptEnvironment,
            settings: settings,
            hasSimulatedOptions: configuration.faults != SimulatedFaults()
        )
        if let refusal = StripeGate.refusal(facts) ?? StripeGate.refusal(sold) {
            throw ConfigurationFault(refusal)
        }
        products = Dictionary(
            sold.map { ($0.id, StripeProvider.Product($0)) },
            uniquingKeysWith: { first, _ in first }
        )
        api = try StripeAPI(address: configuration.stripe.address, key: key, isProven: false, logger: logger)
    }

    /// Asks Stripe which account the key belongs to; the identity has none if Stripe cannot be asked.
    ///
    /// - Throws: ``ConfigurationFault`` if Stripe does not accept the key.
    func identity(_ logger: Logger) async throws -> ProviderIdentity {
        var identity = ProviderIdentity(name: ProviderKind.stripe.rawValue, mode: key.mode.rawValue, account: nil)
        do throws(TillError) {
            identity.account = try await api.accountID(of: key)
        } catch  where error.code == .permissionDenied {
            throw ConfigurationFault(error)
        } catch {
            logger.warning("\(error.message)")
        }
        return identity
    }

    /// The store's clock. With a live key, time is the machine's.
    var time: any TimeSource {
        key.mode == .live ? SystemTime() : AdjustableTime()
    }

    /// - Parameters:
    ///   - account: The account that the ledger belongs to.
    ///   - isProven: Whether the key is known to belong to it.
    func provider(_ ledger: UUID, account: String, isProven: Bool, logger: Logger) -> StripeProvider {
        if isProven {
            api.use(key)
        }
        let configuration = StripeProvider.Configuration(
            ledger: ledger,
            account: account,
            returnURL: facts.options.returnURL ?? "",
            payerDeadline: facts.options.payerDeadline,
            product: { [products] in products[$0] },
            key: { changedKey(logger) }
        )
        return StripeProvider(api, configuration, logger: logger)
    }

    /// A key that was put in place of the one before; nil without one, and if the daemon would not start with it.
    private func changedKey(_ logger: Logger) -> StripeKey? {
        guard let new = file.changedValue() else {
            return nil
        }
        var facts = facts
        facts.key = new.kind
        let refusal = new.mode == key.mode ? StripeGate.refusal(facts) : "It is of another mode than the ledger."
        guard let refusal else {
            return new
        }
        logger.error("Stripe's new key is not used: \(refusal)")
        return nil
    }

    /// Checks what the ledger keeps about the clock.
    ///
    /// - Throws: ``ConfigurationFault``.
    func check(clockOffset: Duration) throws {
        var facts = facts
        facts.clockOffset = clockOffset
        if let refusal = StripeGate.refusal(facts) {
            throw ConfigurationFault(refusal)
        }
    }
}

extension StripeProvider.Product {
    fileprivate init(_ product: TillModel.Product) {
        self.init(name: product.displayName, renews: product.type == .autoRenewableSubscription)
    }
}
