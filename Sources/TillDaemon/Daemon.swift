import Foundation
import Glibc
package import Logging
package import ServiceLifecycle
import TTRPC
import TillCatalogue
import TillDownloads
import TillEngine
package import TillMetrics
import TillModel
import TillProviders
import TillReceipts
import TillService

extension StoreKitCatalogue: Catalogue {}

/// A daemon with all its resources, which does not serve yet.
package struct Daemon: Sendable {
    package static let version = TillVersion.text

    private let ledger: OpenLedger
    private let contentLock: FileLock
    private let engine: PaymentEngine
    private let server: TTRPCServer
    private let socket: ListeningSocket
    private let systemd: Systemd
    private let lock: FileLock
    private let watch: FileWatch
    private let grace: Duration
    /// Nil without a webhook listener.
    private let webhooks: WebhookService?
    /// Nil without an operator page.
    private let console: ConsoleService?

    /// Locks the state directory, the content directory and the socket, and opens their files.
    ///
    /// - Parameters:
    ///   - registry: Keeps the values of metrics.
    ///   - systemd: Passes the socket, if there is one, and wants to know when the daemon serves.
    /// - Throws: `TillError` with the obstacle in one sentence, or ``ConfigurationFault``.
    package init(
        _ configuration: DaemonConfiguration,
        registry: MetricsRegistry = MetricsRegistry(),
        systemd: Systemd = Systemd(environment: [:]),
        logger: Logger
    ) async throws {
        let policy = configuration.policy
        let catalogue = try Self.catalogue(configuration, logger)
        let stripe =
            configuration.provider == .stripe ? try StripeSetup(configuration, catalogue, logger: logger) : nil
        try ProcessSetup.checkFileLimit(needed: configuration.openFilesNeeded)
        let state = try StateDirectory(path: configuration.stateDirectory)
        lock = try FileLock(path: state.lockPath, protecting: "The state directory \(state.path)")
        ledger = try await OpenLedger.open(configuration, in: state, logger)
        let ledger = ledger.ledger
        // The store and a simulated provider share a clock, which operators may advance.
        let time: any TimeSource = stripe?.time ?? AdjustableTime()
        let appAppleID = try Self.appAppleID(configuration, inCatalogue: catalogue.appAppleID)
        let receipts = try await Self.receipts(configuration, appAppleID, state, ledger, date: time.now(), logger)
        try await HostSetup.compare(receipts.rootCertificate, in: state.receiptsPath, ledger, logger)
        let (downloader, contentLock) = try Self.downloader(configuration, catalogue, state, ledger.id, logger)
        self.contentLock = contentLock
        let provider = try await Self.provider(stripe, configuration, state, self.ledger, time, logger)
        socket = try Self.socket(configuration, policy, systemd)
        self.systemd = systemd
        watch = FileWatch(
            durable: try state.openFiles(of: self.ledger, isSimulated: stripe == nil),
            socket: socket.name
        )
        engine = PaymentEngine(
            ledger: WatchedLedger(ledger: ledger, watch: watch),
            catalogue: catalogue,
            provider: provider,
            receipts: receipts,
            downloader: downloader,
            configuration: Self.engineConfiguration(configuration, stripe),
            metrics: EngineMetrics(factory: registry),
            logger: logger,
            time: time
        )
        let metrics = MetricsReport(registry, engine, receipts, state)
        webhooks = try await stripe?.webhooks?.service(ringing: engine, logger: logger)
        let consoleSetup = configuration.consoleAddress.map(ConsoleSetup.init(address:))
        console = try await consoleSetup?.service(engine, metrics, logger: logger)
        let service = TillService(
            engine: engine,
            policy: policy,
            backups: self.ledger.file.map { file in
                StateBackups(
                    state,
                    file,
                    simulated: provider as? SimulatedProvider,
                    receipts: receipts,
                    time: SystemTime()
                )
            },
            server: "tilld/\(Self.version)",
            console: consoleSetup?.door,
            metrics: { await metrics.samples() }
        )
        server = TTRPCServer(
            limits: configuration.limits,
            logger: logger,
            serves: { policy.mayServe($0) },
            processHandler: { peer, process in service.methods(for: CallerInspection.caller(peer, process)) }
        )
        metrics.follow(server.statistics)
        grace = configuration.shutdownGrace
        Self.warnIfClosed(socket, policy, logger)
    }

    private static func socket(
        _ configuration: DaemonConfiguration,
        _ policy: AccessPolicy,
        _ systemd: Systemd
    ) throws(TillError) -> ListeningSocket {
        guard let passed = try systemd.socket(at: configuration.socketPath) else {
            return try ListeningSocket(path: configuration.socketPath, isOpenToOthers: policy.isOpenToOthers)
        }
        return try ListeningSocket(path: configuration.socketPath, passed: passed)
    }

    private static func engineConfiguration(_ configuration: DaemonConfiguration, _ stripe: StripeSetup?)
        -> EngineConfiguration
    {
        var engine = configuration.engine
        if stripe?.webhooks != nil {
            engine.newsInterval = WebhookSetup.newsInterval
        }
        return engine
    }

    private static func warnIfClosed(_ socket: ListeningSocket, _ policy: AccessPolicy, _ logger: Logger) {
        guard policy.isOpenToOthers, let directory = socket.directoryClosedToOthers else {
            return
        }
        logger.warning(
            "Other users cannot reach the socket: let them traverse its directory (chmod o+x), or name another socket",
            metadata: ["socket.directory": "\(directory)"]
        )
    }

    /// The services in the order of their dependencies; a service group stops them in reverse order.
    package var services: [any Service] {
        let listeners: [(any Service)?] = [webhooks, console]
        return [
            Watchdog(visitingEventLoops: server.visitEventLoops),
            StopService(),
            HeapService(time: SystemTime(), release: ProcessSetup.releaseFreedMemory),
            LedgerService(ledger: ledger, lock: lock, watch: watch),
            FileWatchService(watch: watch, time: SystemTime()),
            EngineService(engine: engine, contentLock: contentLock),
            ServerService(engine: engine, server: server, socket: socket, systemd: systemd, grace: grace),
        ] + listeners.compactMap(\.self)
    }

    /// Opens the authority that signs receipts, and warns if earlier receipts cannot be verified with it.
    private static func receipts(
        _ configuration: DaemonConfiguration,
        _ appAppleID: Int64?,
        _ state: StateDirectory,
        _ ledger: any Ledger,
        date: Date,
        _ logger: Logger
    ) async throws -> ReceiptAuthority {
        let hadDirectory = unsafe access(state.receiptsPath, F_OK) == 0
        let receipts = try ReceiptAuthority(
            directory: state.receiptsPath,
            credentials: configuration.credentialsDirectory,
            environment: configuration.receiptEnvironment,
            appAppleID: appAppleID,
            date: date,
            logger: logger
        )
        let isNew = unsafe !hadDirectory && access(state.receiptsPath, F_OK) == 0
        if isNew, try await ledger.read({ try $0.transactions(matching: .init(), afterKey: 0, limit: 1).first }) != nil
        {
            logger.warning(
                "New certificates sign receipts from now on; earlier receipts end in another root",
                metadata: ["receipts.path": "\(state.receiptsPath)"]
            )
        }
        return receipts
    }

    /// Returns the application's id in the App Store: the configured one, or else the catalogue's.
    ///
    /// - Throws: ``ConfigurationFault`` if there is none and the environment is Production, because Apple's libraries
    ///   reject production receipts without an id.
    static func appAppleID(
        _ configuration: DaemonConfiguration,
        inCatalogue listed: Int64?
    ) throws(ConfigurationFault) -> Int64? {
        let number = configuration.receiptAppID ?? listed
        guard number != nil || configuration.receiptEnvironment != .production else {
            throw ConfigurationFault(
                TillError(
                    .invalidArgument,
                    """
                    receipt-environment Production requires the application's id in the App Store: set receipt-app-id, or \
                    use a catalogue with _applicationInternalID.
                    """
                )
            )
        }
        return number
    }

    private static func catalogue(_ configuration: DaemonConfiguration, _ logger: Logger) throws -> StoreKitCatalogue {
        var configurations: [StoreKitConfiguration] = []
        for file in configuration.catalogueFiles {
            do {
                configurations.append(try StoreKitConfiguration(contentsOf: file))
            } catch {
                throw TillError(.invalidArgument, error.message)
            }
        }
        let catalogue = try StoreKitCatalogue(files: configurations)
        for warning in catalogue.warnings {
            logger.warning("The catalogue has a problem", metadata: ["catalogue.warning": "\(warning.summary)"])
        }
        return catalogue
    }

    /// The provider that the ledger belongs to.
    private static func provider(
        _ stripe: StripeSetup?,
        _ configuration: DaemonConfiguration,
        _ state: StateDirectory,
        _ open: OpenLedger,
        _ time: any TimeSource,
        _ logger: Logger
    ) async throws -> any PaymentProvider {
        let ledger = open.ledger
        guard let stripe else {
            _ = try await ProviderBinding.account(of: ledger, for: .simulated, configuration)
            return try await SimulatedSetup.provider(of: open, in: state, configuration.faults, time, logger)
        }
        try stripe.check(clockOffset: try await StoreControls.clockOffset(in: ledger))
        let own = try await stripe.identity(logger)
        let account = try await ProviderBinding.account(of: ledger, for: own, configuration)
        return stripe.provider(ledger.id, account: account, isProven: own.account != nil, logger: logger)
    }

    private static func downloader(
        _ configuration: DaemonConfiguration,
        _ catalogue: StoreKitCatalogue,
        _ state: StateDirectory,
        _ ledger: UUID,
        _ logger: Logger
    ) throws(TillError) -> (HostedContentDownloader, FileLock) {
        let hostsContent = catalogue.products.contains { !$0.contents.isEmpty }
        guard configuration.contentDirectory != nil || !configuration.policy.isOpenToOthers || !hostsContent else {
            throw TillError(
                .failedPrecondition,
                "The catalogue hosts content, which other users cannot read in the state directory: name another directory with --content."
            )
        }
        // Applications receive paths in this directory, and have other working directories.
        let directory = URL(filePath: configuration.contentDirectory ?? state.contentPath).path
        var downloads = configuration.downloads
        downloads.directory = directory
        downloads.logger = logger
        let downloader = try HostedContentDownloader(downloads)
        // Only one daemon at a time, and always one with the same ledger, may use the directory: another daemon would remove
        // the content as unknown.
        let lock = try FileLock(
            path: "\(directory)/content.lock",
            protecting: "The content directory \(directory)",
            remedy: "stop that daemon first, or name another directory with --content"
        )
        try downloader.claim(for: ledger)
        return (downloader, lock)
    }
}

extension ProviderBinding {
    /// Binds the ledger to the provider, and returns the account that it belongs to.
    ///
    /// - Throws: ``ConfigurationFault`` if it belongs to another provider, mode or account.
    fileprivate static func account(
        of ledger: any Ledger,
        for own: ProviderIdentity,
        _ configuration: DaemonConfiguration
    ) async throws -> String {
        switch try await bind(ledger, to: own) {
        case .bind:
            return own.account ?? ""
        case .agrees(let stored):
            return stored.account ?? ""
        case .belongs(let other):
            let (place, remedy) = configuration.ledgerPlace
            throw ConfigurationFault(
                "The ledger in \(place) belongs to \(other.text), not to \(own.text): use another \(remedy)."
            )
        case .needsAccount:
            throw TillError(
                .unavailable,
                "The first start with a ledger has to ask Stripe which account the key belongs to: try again when Stripe can be reached."
            )
        }
    }
}
