package import FoundationEssentials
package import Logging
package import NIOConcurrencyHelpers
package import TillModel

/// Decides everything about payments: commands go in, and are durable when they are answered.
///
/// Any task may call any method at any time; ``run()`` has to run meanwhile.
package final class PaymentEngine: Sendable {
    /// Charges at once: for purchases that were just made, and renewals and charges that are asked about again.
    static let chargePlaces = JobRunner<Int64, ChargeJob>.Places(awaited: 128, others: 64)
    /// Restores at once: those just asked for, and those that the daemon before left.
    static let restorePlaces = JobRunner<UUID, RestoreRecord>.Places(awaited: 32, others: 32)
    /// Deadlines, subscriptions and refunds at once, all of which a look finds.
    static let timerPlaces = JobRunner<DueJob, DueJob>.Places(awaited: 0, others: 128)
    /// Downloads at once; fewer may have a connection.
    static let downloadPlaces = JobRunner<Int64, DownloadJob>.Places(awaited: 128, others: 128)
    /// How long a call that has a charge made waits for the provider's answer.
    static let answerPatience = Duration.seconds(2)
    /// Between two looks into the ledger for what is due.
    static let lookInterval = Duration.seconds(1)

    let ledger: any Ledger
    let catalogue: any Catalogue
    let provider: BoundedProvider
    /// Nil where transactions are not signed.
    let receipts: (any ReceiptSigner)?
    /// Nil where no content is hosted.
    let downloader: (any ContentDownloader)?
    let time: any TimeSource
    let makeID: @Sendable () -> UUID
    let configuration: EngineConfiguration
    let logger: Logger
    let changes = ChangeSignal()
    let pages: ChangePages
    let agents = AgentRegistry()
    let active: ActiveDownloads
    /// Refunds that a call is at work on.
    let refundsUnderWay = NIOLockedValueBox<Set<UUID>>([])
    /// Accounts whose applications' receipts are made now.
    let receiptMakings = Turns<String>(maximum: receiptMakingsMaximum)
    /// Users who have an application's receipt to read.
    package let receiptDocuments = Turns<UInt32>(maximum: receiptDocumentsMaximum)
    let controls: StoreControls
    let deliveries: DeliveryLog
    private let commits: GroupCommit
    private let timers: JobRunner<DueJob, DueJob>
    private let charges: JobRunner<Int64, ChargeJob>
    private let restores: JobRunner<UUID, RestoreRecord>
    private let downloads: JobRunner<Int64, DownloadJob>

    /// - Parameters:
    ///   - receipts: Signs transactions; nil to sign none.
    ///   - downloader: Fetches content; nil to host none.
    ///   - callTime: Measures how long the provider takes: not by the store's clock, which operators may advance.
    ///   - makeID: Gives identities for what is not a client's; each call another one.
    package init(
        ledger: any Ledger,
        catalogue: any Catalogue,
        provider: any PaymentProvider,
        receipts: (any ReceiptSigner)? = nil,
        downloader: (any ContentDownloader)? = nil,
        configuration: EngineConfiguration,
        logger: Logger,
        time: any TimeSource = SystemTime(),
        callTime: any TimeSource = SystemTime(),
        makeID: @escaping @Sendable () -> UUID = { .version7() }
    ) {
        self.ledger = ledger
        self.catalogue = catalogue
        self.provider = BoundedProvider(provider, time: callTime)
        self.receipts = receipts
        self.downloader = downloader
        self.configuration = configuration
        self.logger = logger
        self.time = time
        self.makeID = makeID
        let controls = StoreControls(
            defaults: Self.defaultSettings(catalogue, configuration),
            provider: provider as? any AdjustableProvider,
            clock: time as? AdjustableTime
        )
        self.controls = controls
        deliveries = DeliveryLog(time: time)
        let (changes, agents) = (self.changes, self.agents)
        let pages = ChangePages(numbering: ledger.numbering)
        self.pages = pages
        let active = ActiveDownloads(changes: changes)
        self.active = active
        let charges = Self.chargeRunner(time)
        let restores = JobRunner<UUID, RestoreRecord>(
            places: Self.restorePlaces,
            interval: Self.lookInterval,
            time: time,
            share: { JobShare(part: "\($0.queue)") },
            key: { $0.id }
        )
        let downloads = Self.downloadRunner(time)
        self.charges = charges
        self.restores = restores
        self.downloads = downloads
        timers = JobRunner(
            places: Self.timerPlaces,
            interval: Self.lookInterval,
            time: time,
            share: { JobShare(owner: $0.kind) },
            key: { $0 }
        )
        commits = GroupCommit(ledger: ledger, time: time, logger: logger) { effects in
            // Before the clock may be advanced, which would make a look into the ledger find them too.
            charges.handOver(effects.charges)
            if let settings = effects.settings {
                Self.apply(settings, controls, logger)
            }
        } publish: { effects in
            // Before observers look, so that they see no progress of what has come to rest.
            effects.endedDownloads.forEach(active.end)
            pages.tell(effects.changes.filter { changes.isFollowed($0.key) })
            changes.signal(effects.changes.mapValues(\.newest))
            if effects.requestsChanged {
                agents.wakeAll()
            }
            restores.handOver(effects.restores)
            downloads.handOver(effects.downloads)
        }
    }

    private static func chargeRunner(_ time: any TimeSource) -> JobRunner<Int64, ChargeJob> {
        JobRunner(
            places: chargePlaces,
            interval: lookInterval,
            time: time,
            share: { JobShare(owner: $0.charge.request.account, part: $0.charge.request.application) },
            isAwaited: { $0.transaction != nil },
            key: { $0.charge.key }
        )
    }

    private static func downloadRunner(_ time: any TimeSource) -> JobRunner<Int64, DownloadJob> {
        JobRunner(
            places: downloadPlaces,
            interval: lookInterval,
            time: time,
            dropsNone: true,
            share: { JobShare(owner: $0.name.account, part: $0.name.application) },
            key: { $0.key }
        )
    }

    /// How the store behaves while no operator has changed it.
    private static func defaultSettings(
        _ catalogue: any Catalogue,
        _ configuration: EngineConfiguration
    ) -> StoreSettings {
        var settings = catalogue.settings
        for (key, value) in configuration.settings {
            // Who reads the configuration has refused what does not fit.
            try? settings.set(key, to: value)
        }
        return settings
    }

    /// Works until ``stop()``, then ends once everything accepted is durable.
    ///
    /// - Throws: The ledger's error when it could not be written or read. What was not answered by then may have
    ///   happened or not.
    package func run() async throws {
        do {
            try await loadSettings()
        } catch {
            commits.abandon()
            throw error
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { self.commits.stop() }
                try await self.runJobsWithProvider()
            }
            // Jobs fail too once nothing can be committed, but this error says why; and it ends them.
            try await commits.run()
            try await group.waitForAll()
        }
    }

    /// Does a job of the engine's own. A row that cannot be read is logged and left; other errors stop the engine.
    func perform(_ job: () async throws(TillError) -> Void) async throws(TillError) {
        do {
            try await job()
        } catch  where error.code == .dataLoss {
            logUnreadable(error)
        }
    }

    /// Logs a row that is left as it is.
    func logUnreadable(_ error: TillError) {
        logger.error("A row of the ledger cannot be read", metadata: ["error": "\(error)"])
    }

    /// The jobs' end is that of the provider, and its failure is theirs.
    private func runJobsWithProvider() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    try await self.provider.run()
                } catch {
                    self.logger.critical("The provider failed, and the daemon stops", metadata: ["error": "\(error)"])
                    throw error
                }
            }
            group.addTask { try await self.runJobs() }
            // The provider ends only when it fails or is cancelled.
            try await group.next()
            group.cancelAll()
        }
    }

    private func runJobs() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.runCharges(self.charges) }
            group.addTask { try await self.runRestores(self.restores) }
            group.addTask { try await self.runTimers(self.timers) }
            group.addTask { try await self.runDownloads(self.downloads) }
            group.addTask { try await self.runDeliveries() }
            // Whichever fails ends the others.
            for try await _ in group {}
        }
    }

    /// What the store does now; tests set it without an operator.
    package var settingsBox: NIOLockedValueBox<StoreSettings> {
        controls.store
    }

    /// How the store behaves now.
    var settings: StoreSettings {
        controls.store.withLockedValue { $0 }
    }

    /// Starts no more charges, restores and timers; ``run()`` ends when those under way are stored. Downloads stop where
    /// they are, and go on with the next engine.
    package func stop() {
        downloads.stop()
        active.stopAll()
        charges.stop()
        restores.stop()
        timers.stop()
        deliveries.stop()
    }

    /// Returns once every job is done that was due, handed over or under way.
    func settleJobs() async {
        await timers.settle()
        await charges.settle()
        await restores.settle()
    }

    /// Returns once the charges under way are settled, or the provider has taken longer than anybody wants to wait.
    func settleCharges() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.charges.settle() }
            group.addTask { try? await self.time.sleep(for: Self.answerPatience) }
            await group.next()
            group.cancelAll()
        }
    }

    private static func apply(_ table: [String: String], _ controls: StoreControls, _ logger: Logger) {
        do {
            try controls.apply(table)
        } catch {
            logger.error("Settings were stored that no setting takes", metadata: ["error": "\(error)"])
        }
    }

    /// Whether commands are taken: it neither stops nor has failed, and no flush of the disk takes long.
    package var isServing: Bool {
        commits.isTaking
    }

    /// How transactions and queues are identified.
    package var numbering: LedgerNumbering {
        ledger.numbering
    }

    /// The identity of the ledger that cursors belong to.
    package var ledgerID: UUID {
        ledger.id
    }

    /// - Parameter isOwn: Whether the engine itself needs it, so that it is never refused for want of room.
    func commit<Value: Sendable>(
        isOwn: Bool = false,
        _ command: @escaping @Sendable (inout CommandContext) throws -> Result<Value, TillError>
    ) async throws(TillError) -> Value {
        try await commits.submit(isOwn: isOwn, command)
    }

    func read<Value: Sendable>(
        _ work: @escaping @Sendable (any LedgerReader) throws -> Value
    ) async throws(TillError) -> Value {
        do {
            return try await ledger.read(work)
        } catch let error as TillError {
            throw error
        } catch is CancellationError {
            throw TillError(.cancelled, "The call was cancelled.")
        } catch {
            throw TillError(.unavailable, "The ledger could not be read; try again later.", cause: error)
        }
    }
}
