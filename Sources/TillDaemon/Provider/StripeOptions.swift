import TillStripe

/// The provider that charges.
package enum ProviderKind: String, Hashable, Sendable, CaseIterable {
    /// It moves no money.
    case simulated
    case stripe
}

/// The configuration of the provider that charges through Stripe.
package struct StripeOptions: Hashable, Sendable {
    /// The file with the secret key; nil for the service manager's credential ``credentialName``.
    package var keyFile: String?
    /// The page that the payer's browser opens after the payment.
    package var returnURL: String?
    /// How long a payer may take on Stripe's page.
    package var payerDeadline = Duration.seconds(3600)
    /// Where the API is.
    package var address = StripeAPI.address
    /// Whether a live key may be one that may do everything.
    package var fullKey = FullKey.refuse

    /// Where to listen for webhooks; nil to listen nowhere.
    package var webhookAddress: LocalAddress?
    /// The file with the signing secrets of webhooks; nil for the service manager's credential
    /// ``webhookCredentialName``.
    package var webhookSecretsFile: String?

    package enum FullKey: String, Hashable, Sendable, CaseIterable {
        case accept, refuse
    }

    /// The name of the key among the service manager's credentials.
    static let credentialName = "till-stripe-key"
    /// The name of the signing secrets among the service manager's credentials.
    static let webhookCredentialName = "till-stripe-webhook-secrets"
}
