package import FoundationEssentials
package import Logging
package import NIOConcurrencyHelpers
package import TillModel

#if MUTANTS
    import Mutants
#endif

/// Decides everything about payments. A command is durable when it is answered.
///
/// Any task may call any method at any time, while ``run()`` runs.
package final class PaymentEngine: Sendable {
    /// How long a call that starts a charge waits for the provider's answer.
    static let answerPatience = Duration.seconds(2)

    let access: LedgerAccess
    let time: any TimeSource
    let provider: BoundedProvider
    let agents: AgentRegistry
    let active: ActiveDownloads
    let controls: StoreControls
    let feed: ChangeFeed
    let parts: EngineParts
    let authorization: Authorization
    let applicationReceipts: ApplicationReceipts
    let chargeJobs: ChargeJobs
    let refundJobs: RefundJobs
    private let newsJob: NewsJob
    private let reviewJob: ReviewJob
    let retentionJob: RetentionJob
    /// The accounts for which users' calls of the provider are at work.
    let payerCalls = FairSemaphore<String>(maximum: payerCallsMaximum)
    let dueJobs: DueJobs
    /// Nil where no content is hosted.
    let downloadJobs: DownloadJobs?
    let commits: GroupCommit
    /// Whether the ledger can be written, as ``checkWrites()`` found it.
    let writeCheck: WriteCheck
    /// The ledger's figures as of their last reading.
    let figures: FigureCache
    private let runners: EngineRunners
    let otherHosts: OtherHosts

    /// - Parameters:
    ///   - receipts: Signs transactions; nil to sign none.
    ///   - downloader: Fetches content; nil to host none.
    ///   - callTime: Measures how long the provider takes: not by the store's clock, which operators may advance.
    ///   - makeID: Makes the identities that clients do not choose, each call a new one.
    package init(
        ledger: any Ledger,
        catalogue: any Catalogue,
        provider: any PaymentProvider,
        receipts: (any ReceiptSigner)? = nil,
        downloader: (any ContentDownloader)? = nil,
        configuration: EngineConfiguration,
        metrics: EngineMetrics = .shared,
        logger: Logger,
        time: any TimeSource = SystemTime(),
        callTime: any TimeSource = SystemTime(),
        makeID: @escaping @Sendable () -> UUID = { .version7() }
    ) {
        let changes = ChangeSignal()
        let pages = ChangePages(numbering: ledger.numbering)
        self.time = time
        runners = EngineRunners(time: time)
        agents = AgentRegistry()
        active = ActiveDownloads(changes: changes)
        controls = StoreControls(
            defaults: Self.defaultSettings(catalogue, configuration),
            provider: provider as? any AdjustableProvider,
            clock: time as? AdjustableTime
        )
        let deliveries = DeliveryLog(time: time)
        commits = GroupCommit(
            ledger: ledger,
            deliveries: deliveries,
            prepare: Self.preparation(of: controls, ledger),
            time: time,
            metrics: metrics,
            logger: logger,
            apply: Self.application(of: controls, runners, logger),
            publish: Self.publication(to: changes, pages, agents, active, runners)
        )
        access = LedgerAccess(ledger: ledger, commits: commits, logger: logger)
        otherHosts = OtherHosts(access, changes, agents, controls, time: callTime)
        writeCheck = WriteCheck(commits: commits, time: callTime)
        figures = FigureCache(access: access, time: callTime)
        self.provider = BoundedProvider(provider, time: callTime, metrics: metrics)
        feed = ChangeFeed(
            access: access,
            changes: changes,
            pages: pages,
            active: active,
            deliveries: deliveries,
            time: time
        )
        parts = EngineParts(
            catalogue: StoreCatalogue(catalogue, settings: controls.store),
            signer: receipts,
            downloads: Downloads(downloader, catalogue, active, configuration, makeID: makeID),
            agents: agents,
            payerDeadline: provider.payerDeadline,
            numbering: ledger.numbering,
            configuration: configuration,
            logger: logger,
            makeID: makeID
        )
        authorization = Authorization(parts.purchasing, access: access)
        applicationReceipts = ApplicationReceipts(parts.receipts, access: access, time: time)
        let calls = ProviderCalls(self.provider, access, time, configuration)
        chargeJobs = ChargeJobs(parts.purchasing, parts.renewing, calls, makeID: makeID)
        refundJobs = RefundJobs(parts.refunding, calls)
        newsJob = NewsJob(self.provider, parts, access, time, interval: configuration.newsInterval)
        reviewJob = ReviewJob(calls: calls, resolving: parts.resolving, renewing: parts.renewing)
        retentionJob = RetentionJob(access, time, metrics, retention: configuration.retention)
        dueJobs = DueJobs(parts.purchasing, parts.renewing, refundJobs, access: access, time: time)
        downloadJobs = downloader.map { [access, parts] in DownloadJobs(parts.downloads, $0, access, time) }
    }

    /// Puts the settings in force that operators have changed at other hosts, before a commit's commands.
    private static func preparation(of controls: StoreControls, _ ledger: any Ledger)
        -> @Sendable (any LedgerReader) throws -> Void
    {
        guard ledger.isShared, controls.provider != nil else {
            return { _ in }
        }
        #if MUTANTS
            if Mutant.othersSettingsIgnored.isPlanted {
                return { _ in }
            }
        #endif
        return { try controls.applyStored(try $0.settings()) }
    }

    /// Applies a commit's effects before its commands are answered.
    private static func application(of controls: StoreControls, _ runners: EngineRunners, _ logger: Logger)
        -> @Sendable (CommitEffects) -> Void
    {
        { effects in
            // Before the clock may be advanced, which would make a look into the ledger find them too.
            runners.charges.handOver(effects.charges)
            if let settings = effects.settings {
                do {
                    try controls.apply(settings)
                } catch {
                    logger.error("The stored settings are invalid", metadata: ["error": "\(error)"])
                }
            }
        }
    }

    /// Applies a commit's effects after its commands are answered.
    private static func publication(
        to changes: ChangeSignal,
        _ pages: ChangePages,
        _ agents: AgentRegistry,
        _ active: ActiveDownloads,
        _ runners: EngineRunners
    ) -> @Sendable (CommitEffects) -> Void {
        { effects in
            // Before observers look, so that they see no progress of downloads that have stopped.
            effects.endedDownloads.forEach(active.end)
            pages.notify(of: effects.changes.filter { changes.isFollowed($0.key) })
            changes.signal(effects.changes.mapValues(\.newest))
            if effects.requestsChanged {
                agents.wakeAll()
            }
            runners.restores.handOver(effects.restores)
            runners.downloads.handOver(effects.downloads)
        }
    }

    /// How the store behaves until an operator changes it.
    package static func defaultSettings(
        _ catalogue: any Catalogue,
        _ configuration: EngineConfiguration
    ) -> StoreSettings {
        var settings = catalogue.settings
        for (key, value) in configuration.settings {
            // Reading the configuration has refused invalid values.
            try? settings.set(key, to: value)
        }
        return settings
    }

    /// Works until ``stop()``, then ends once everything accepted is durable.
    ///
    /// - Throws: The ledger's error when it could not be written or read. Commands that were not answered by then may
    ///   have happened or not.
    package func run() async throws {
        do {
            try await loadSettings()
            try await chargeJobs.takeOver(runners.charges)
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

    /// The jobs end when the provider does, and a failure of the provider is theirs.
    private func runJobsWithProvider() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    try await self.provider.run()
                } catch is CancellationError {
                    // The daemon stops.
                } catch {
                    let metadata: Logger.Metadata = ["error": "\(error)"]
                    self.access.logger.critical("The provider failed, and the daemon stops", metadata: metadata)
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
        // Cancelled when the jobs have ended.
        async let _: Void = newsJob.run()
        async let _: Void = reviewJob.run()
        async let _: Void = retentionJob.run()
        async let _: Void = otherHosts.run()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.chargeJobs.run(self.runners.charges) }
            group.addTask { try await self.runRestores(self.runners.restores) }
            group.addTask { try await self.dueJobs.run(self.runners.timers) }
            group.addTask { try await self.downloadJobs?.run(self.runners.downloads) }
            group.addTask { try await self.runDeliveries() }
            // The first to fail ends the others.
            for try await _ in group {}
        }
    }

    /// Asks the provider for news now, and not only at the next regular time.
    ///
    /// It returns at once. The request is kept in memory only, because each start asks for news.
    package func askForNews() {
        newsJob.doorbell.ring()
    }

    /// The store's present settings; tests set them without an operator.
    package var settingsBox: NIOLockedValueBox<StoreSettings> {
        controls.store
    }

    /// Starts no more charges, restores and timers; ``run()`` ends when those under way are stored. Downloads stop where
    /// they are, and the next engine continues them.
    package func stop() {
        runners.stop()
        active.stopAll()
        feed.deliveries.stop()
    }

    /// Returns once every job is done that was due, handed over or under way.
    func settleJobs() async {
        await refundJobs.settle()
        await runners.settle()
    }

    /// Returns once the charges under way are settled, or after ``answerPatience``.
    func settleCharges() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.runners.charges.settle() }
            group.addTask { try? await self.time.sleep(for: Self.answerPatience) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Whether commands are accepted: the engine neither stops nor has failed, and no flush of the disk takes long.
    package var isServing: Bool {
        commits.isTaking
    }

    /// The number of commits since the start: it tells whether to look again.
    package var changeCount: UInt64 {
        feed.changes.count
    }

    /// How transactions and queues are identified.
    package var numbering: LedgerNumbering {
        access.ledger.numbering
    }

    /// The identity of the timeline that cursors belong to.
    package var timelineID: UUID {
        access.ledger.timelineID
    }

    /// ``LedgerAccess/commit(isOwn:about:_:)``.
    func commit<Value: Sendable>(
        isOwn: Bool = false,
        _ command: @escaping @Sendable (inout CommandContext) throws -> Result<Value, TillError>
    ) async throws(TillError) -> Value {
        try await access.commit(isOwn: isOwn, command)
    }

    /// Submits a client's command, and passes its answer on once that is durable, as
    /// ``GroupCommit/submit(isOwn:about:in:_:then:)`` does.
    func commit<Value: Sendable>(
        about transaction: TransactionReference,
        in queue: QueueName,
        _ command: @escaping @Sendable (inout CommandContext) throws -> Result<Value, TillError>,
        then answer: @escaping @Sendable (Result<Value, TillError>) -> Void
    ) {
        commits.submit(isOwn: false, about: transaction, in: queue, command, then: answer)
    }

    /// ``LedgerAccess/read(_:)``.
    func read<Value: Sendable>(
        _ work: @escaping @Sendable (any LedgerReader) throws -> Value
    ) async throws(TillError) -> Value {
        try await access.read(work)
    }

    /// The daemons that share the ledger, in the order of their names; none if it is this daemon's alone.
    ///
    /// - Parameter limit: How many at most.
    package func hosts(limit: Int) async throws(TillError) -> [LedgerHost] {
        try await access.hosts(limit: limit)
    }
}
