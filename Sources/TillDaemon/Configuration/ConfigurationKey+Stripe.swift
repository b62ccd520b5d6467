import TillModel
import TillStripe

/// The keys of the provider.
extension ConfigurationKey {
    static let provider = Section(
        title: "Provider",
        keys: [
            choice(
                "provider",
                for: \.provider,
                help: "Charge with this provider.",
                details: """
                    The simulated provider moves no money. A ledger always belongs to the provider, mode and \
                    account of its first start.
                    """
            ),
            ConfigurationKey(
                "stripe.key-file",
                .file,
                valueName: "file",
                defaultText: "the service manager's credential `\(StripeOptions.credentialName)`",
                help: "Read Stripe's secret key from this file.",
                details: """
                    Only the daemon's user may be able to read it. A key that replaces it is used within ten seconds, if it \
                    belongs to the same account and mode.
                    """
            ) { $0.stripe.keyFile = $1.first },
            ConfigurationKey(
                "stripe.return-url",
                .text,
                valueName: "url",
                help: "Send payers to this page after the payment.",
                details: "It is required for Stripe, and begins with `https://`. The page need not do anything."
            ) { $0.stripe.returnURL = $1.first },
            seconds(
                "stripe.payer-deadline",
                in: 2_400...82_800,
                for: \.stripe.payerDeadline,
                help: "Let Stripe's page expire after this many seconds."
            ),
            choice(
                "stripe.full-key",
                for: \.stripe.fullKey,
                help: "Accept or refuse a live key that may do everything.",
                details: "A restricted key limits what a stolen key can do."
            ),
            ConfigurationKey(
                "stripe.address",
                .text,
                valueName: "url",
                defaultText: "`\(StripeAPI.address)`",
                help: "Call Stripe's API at this address.",
                details: "Only a key of test mode may be sent to another address than Stripe's."
            ) { $0.stripe.address = $1.first ?? StripeAPI.address },
            webhookAddress,
            ConfigurationKey(
                "stripe.webhook-secrets-file",
                .file,
                valueName: "file",
                defaultText: "the service manager's credential `\(StripeOptions.webhookCredentialName)`",
                help: "Read the signing secrets of webhooks from this file.",
                details: """
                    It has up to \(WebhookSecrets.countMaximum) secrets, one in each line, and only the daemon's user may be \
                    able to read it. A file that replaces it is used within ten seconds.
                    """
            ) { $0.stripe.webhookSecretsFile = $1.first },
        ]
    )
}

extension ConfigurationKey {
    private static let webhookAddress = ConfigurationKey(
        "stripe.webhook-address",
        .text,
        valueName: "address",
        help: "Listen here for webhooks from Stripe.",
        details: """
            It is the path of a Unix socket as `unix:/run/till/webhooks.sock`, or an address of this machine as \
            `127.0.0.1:8480` or `[::1]:8480`; a reverse proxy passes webhooks on to it, to the path \
            `\(WebhookListener.path)`. They make the daemon ask Stripe at once, which it does every ten minutes otherwise.
            """
    ) { configuration, texts throws(TillError) in
        let text = texts.first ?? ""
        guard let address = LocalAddress(text) else {
            throw .invalid("stripe.webhook-address", text, use: LocalAddress.rule)
        }
        configuration.stripe.webhookAddress = address
    }
}
