import FoundationEssentials
import TillModel

/// The runners of the engine's jobs, and how many of each run at once.
struct EngineRunners: Sendable {
    /// Charges at once: for purchases that were just made, and renewals and charges that are asked about again.
    static let chargeSlots = JobRunner<Int64, ChargeJob>.Slots(awaited: 128, others: 64)
    /// Restores at once: those just asked for, and those that the previous daemon left.
    static let restoreSlots = JobRunner<UUID, RestoreRecord>.Slots(awaited: 32, others: 32)
    /// Deadlines, subscriptions and refunds at once; a look finds all of them.
    static let timerSlots = JobRunner<DueJob, DueJob>.Slots(awaited: 0, others: 128)
    /// Downloads at once; fewer may have a connection.
    static let downloadSlots = JobRunner<Int64, DownloadJob>.Slots(awaited: 128, others: 128)
    /// Between two looks into the ledger for due jobs.
    static let lookInterval = Duration.seconds(1)

    let charges: JobRunner<Int64, ChargeJob>
    let restores: JobRunner<UUID, RestoreRecord>
    let timers: JobRunner<DueJob, DueJob>
    let downloads: JobRunner<Int64, DownloadJob>

    init(time: any TimeSource) {
        charges = JobRunner(
            slots: Self.chargeSlots,
            interval: Self.lookInterval,
            time: time,
            share: { JobShare(owner: $0.charge.request.account, part: $0.charge.request.application) },
            isAwaited: { $0.transaction != nil },
            key: { $0.charge.key }
        )
        restores = JobRunner(
            slots: Self.restoreSlots,
            interval: Self.lookInterval,
            time: time,
            share: { JobShare(part: "\($0.queue)") },
            key: { $0.id }
        )
        timers = JobRunner(
            slots: Self.timerSlots,
            interval: Self.lookInterval,
            time: time,
            share: { JobShare(owner: $0.kind) },
            key: { $0 }
        )
        downloads = JobRunner(
            slots: Self.downloadSlots,
            interval: Self.lookInterval,
            time: time,
            dropsNone: true,
            share: { JobShare(owner: $0.name.account, part: $0.name.application) },
            key: { $0.key }
        )
    }

    /// Starts no more jobs.
    func stop() {
        downloads.stop()
        charges.stop()
        restores.stop()
        timers.stop()
    }

    /// Returns once every job is done that was due, handed over or under way, except for downloads.
    func settle() async {
        await timers.settle()
        await charges.settle()
        await restores.settle()
    }
}
