import FoundationEssentials
import Logging
package import TillEngine
package import TillModel
package import TillStripe

/// The merchant's account at which the checks act: one of Stripe's test mode, or a stand-in's.
package struct ConformanceAccount: Sendable {
    /// The account's identity at Stripe.
    package let id: String
    /// The identity that the objects of this run have in common.
    let ledger = UUID.version7()
    let api: StripeAPI
    let provider: any PaymentProvider
    let time: any TimeSource
    /// How long a check waits for something that Stripe does by itself.
    let patience: Duration

    /// Asks which account the key belongs to.
    ///
    /// - Throws: `permissionDenied` if the key is not accepted, `unavailable` if the address does not answer.
    package init(
        at address: String,
        _ key: StripeKey,
        patience: Duration,
        time: any TimeSource = SystemTime()
    ) async throws(TillError) {
        let logger = Logger(label: "conformance") { _ in SwiftLogNoOpLogHandler() }
        api = try StripeAPI(
            address: address,
            key: key,
            isProven: true,
            logger: logger,
            time: time,
            isPacedAsOne: true
        )
        do {
            id = try await api.accountID(of: key)
        } catch {
            throw TillError(error.code, error.message.redacted)
        }
        let configuration = StripeProvider.Configuration(
            ledger: ledger,
            account: id,
            returnURL: Self.returnURL,
            product: { StripeProvider.Product(name: "Till conformance", renews: $0 == Self.subscription) }
        )
        provider = StripeProvider(api, configuration, logger: logger, time: time)
        self.time = time
        self.patience = patience
    }

    static let returnURL = "https://shop.example.org/paid"
    /// The product that renews.
    static let subscription = "monthly"

    /// A purchase of 4.99 euros.
    func request(_ product: String = "coins") -> ChargeRequest {
        ChargeRequest(
            paymentID: .version7(),
            application: "org.example.conformance",
            account: "conformance",
            productID: product,
            quantity: 1,
            amount: 499,
            currency: "EUR"
        )
    }
}
