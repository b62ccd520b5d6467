import FoundationEssentials
package import TillModel

#if MUTANTS
    import Mutants
#endif

extension PaymentEngine {
    /// The furthest that it may be ahead: 200 years.
    package static let offsetMaximum = Duration.seconds(200 * 366 * 86400)
    /// Renewals that may fall due by one advance: at a test store's fast rates months are many.
    package static let advanceRenewalsMaximum = 10_000
    /// Rounds of work after which due work that has not changed is given up: its row cannot be read, or it waits for a
    /// charge that the provider does not answer. Two suffice: after the first, everything stored is handed over, and the
    /// second performs it.
    private static let idleRoundsMaximum = 3

    /// What the store's clock shows.
    package func clock() -> ClockReading {
        ClockReading(
            now: time.now().roundedToMilliseconds,
            offset: controls.clock?.offset ?? .zero,
            isAdjustable: controls.clock != nil
        )
    }

    /// Advances the simulated store's clock for good, and returns once everything that was due by then is done, except for
    /// work that waits for a provider which does not answer. Charges under way are settled first: by the new time they
    /// could be too old to be repeated. If the caller goes away after that, the clock stays advanced and the work
    /// continues.
    ///
    /// - Throws: `failedPrecondition` when the clock is the machine's, `invalidArgument` for a step back or beyond
    ///   ``ClockReading/advanceMaximum``: nothing happened. `unavailable` when the daemon stops before all is done.
    package func advanceClock(
        by duration: Duration,
        by identity: OperatorIdentity
    ) async throws(TillError) -> ClockReading {
        try validate(advanceBy: duration, by: identity)
        try await settleDue()
        try await moveClock(by: duration, by: identity)
        try await settleDue()
        return clock()
    }

    /// Advances the simulated store's clock for good, and leaves what is due by then to be done.
    ///
    /// - Throws: As ``advanceClock(by:by:)``.
    package func moveClock(by duration: Duration, by identity: OperatorIdentity) async throws(TillError) {
        try validate(advanceBy: duration, by: identity)
        try await commit { context -> Result<Void, TillError> in
            if let refusal = try Self.refusal(toAdvanceBy: duration, context) {
                return .failure(refusal)
            }
            var table = try context.ledger.settings()
            let offset = try StoreControls.offset(in: table) + duration
            guard offset <= Self.offsetMaximum else {
                return .failure(TillError(.failedPrecondition, "The clock is 200 years ahead already."))
            }
            let milliseconds = offset.components.seconds * 1000 + offset.components.attoseconds / 1_000_000_000_000_000
            table[StoreControls.offsetName] = "\(milliseconds)"
            try context.audit("AdvanceClock", subject: "clock", detail: "to offset_ms=\(milliseconds)", by: identity)
            try context.ledger.setSetting(StoreControls.offsetName, to: "\(milliseconds)")
            context.effects.settings = table
            return .success(())
        }
    }

    private func validate(advanceBy duration: Duration, by identity: OperatorIdentity) throws(TillError) {
        try identity.validate()
        guard controls.clock != nil else {
            throw TillError(.failedPrecondition, "Only the simulated store's clock can be advanced.")
        }
        guard duration > .zero, duration <= ClockReading.advanceMaximum else {
            let days = Int(ClockReading.advanceMaximum / .seconds(86400))
            throw TillError(
                .invalidArgument,
                "Invalid span: advance the clock by more than 0 s and at most \(days) days."
            )
        }
    }

    /// Counts the renewals by the present periods of the subscriptions that will be due.
    private static func refusal(toAdvanceBy duration: Duration, _ context: CommandContext) throws -> TillError? {
        let end = context.now.addingTimeInterval(duration.timeInterval)
        let renewals = try context.ledger.dueSubscriptions(at: end, limit: advanceRenewalsMaximum).filter(\.willRenew)
            .reduce(0.0) { sum, record in
                sum + duration.timeInterval / max(1, record.periodEnd.timeIntervalSince(record.periodStart))
            }
        guard renewals > Double(advanceRenewalsMaximum) else {
            return nil
        }
        return TillError(
            .invalidArgument,
            "About \(Int(min(renewals, 1e9))) renewals would fall due, and \(advanceRenewalsMaximum) may at once: advance in smaller steps, or slow the time-rate down."
        )
    }

    /// Returns once everything is done that is due by now, and whatever that makes due by now; or once several rounds of
    /// work have changed nothing. A round ends, because a provider's answer is waited for only so long.
    ///
    /// - Throws: `unavailable` when its task is cancelled first.
    package func settleDue() async throws(TillError) {
        let end = time.now().roundedToMilliseconds
        var last: DueWork?
        var idleRounds = 0
        while idleRounds < Self.idleRoundsMaximum {
            guard !Task.isCancelled else {
                throw TillError(
                    .unavailable,
                    "The daemon stopped before all that is due was done: it does that after its next start."
                )
            }
            await settleJobs()
            guard let work = try await read({ try DueWork(by: end, $0) }) else {
                return
            }
            idleRounds = work == last ? idleRounds + 1 : 0
            last = work
            #if MUTANTS
                if Mutant.clockAnsweredEarly.isPlanted {
                    continue
                }
            #endif
            try await handOverWhatIsStored()
        }
    }

    /// Returns once the charges of all commits that a reader may have seen are handed over: a commit is visible before
    /// it is acknowledged, and groups are acknowledged in order.
    private func handOverWhatIsStored() async throws(TillError) {
        try await commit(isOwn: true) { _ in .success(()) }
    }
}

/// What is left to do by some time, so that two of them differ if anything was done in between.
private struct DueWork: Equatable {
    /// Open charges that are looked through for renewals.
    private static let chargesPage = 1024

    var date: Date?
    /// Renewals whose charges the provider is being asked for: the next ones may be due after them.
    var renewals: [Int64]
    /// The payment of its group that the subscription due first has to wait for.
    var payment: Int64?

    /// Nil when nothing is left.
    init?(by end: Date, _ ledger: any LedgerReader) throws {
        date = try ledger.nextDue().flatMap { $0 <= end ? $0 : nil }
        renewals = try ledger.dueCharges(at: .distantFuture, limit: Self.chargesPage)
            .filter { $0.transactionKey == nil && $0.attempts == 0 }.map(\.key)
        guard date != nil || !renewals.isEmpty else {
            return nil
        }
        payment = try ledger.dueSubscriptions(at: end, limit: 1).first.flatMap { record in
            let exclusiveGroup = SubscriptionPurchase.exclusiveGroup(ofSubscriptionGroup: record.groupID)
            return try ledger.unsettledCharges(exclusiveGroup: exclusiveGroup, in: record.queue, limit: 1).first?.key
        }
    }
}
