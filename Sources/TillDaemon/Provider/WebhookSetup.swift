import Logging
import ServiceLifecycle
import TillEngine
import TillModel
import TillStripe

/// What the webhook listener needs, once its secrets could be read.
struct WebhookSetup: Sendable {
    /// The time between two regular questions for events. A webhook may be lost, so they do not end.
    static let newsInterval = Duration.seconds(600)

    private let address: LocalAddress
    private let file: StripeSecretFile<WebhookSecrets>
    private let secrets: WebhookSecrets

    /// Nil if no address is configured.
    ///
    /// - Throws: An error that names the missing or invalid secrets.
    init?(_ options: StripeOptions, credentials: String?, logger: Logger) throws(TillError) {
        guard let address = options.webhookAddress else {
            return nil
        }
        self.address = address
        file = try StripeSecretFile(webhooks: options, credentials: credentials, logger: logger)
        secrets = try file.value()
    }

    /// Listens from now on; the service ends that.
    ///
    /// - Throws: `failedPrecondition` if the address cannot be used.
    func service(ringing engine: PaymentEngine, logger: Logger) async throws(TillError) -> WebhookService {
        let configuration = WebhookListener.Configuration(
            secrets: secrets,
            changedSecrets: { [file] in file.changedValue() },
            ring: { engine.askForNews() }
        )
        let listener = WebhookListener(configuration, logger: logger)
        // The proxy usually is another user. Any client needs a secret to have an effect.
        let local = try LocalListener(address, isOpenToOthers: true, logger: logger)
        try await listener.listen(at: local.place)
        logger.notice("Listening for webhooks", metadata: ["webhook.address": "\(address)"])
        return WebhookService(listener: listener, local: local)
    }
}

/// Receives webhooks, and removes the socket's name when the service stops.
struct WebhookService: DaemonService {
    let listener: WebhookListener
    let local: LocalListener

    func run() async {
        await cancelWhenGracefulShutdown { await listener.run() }
        local.remove()
    }
}
