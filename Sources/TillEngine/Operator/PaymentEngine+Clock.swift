import FoundationEssentials
package import TillModel

#if MUTANTS
    import Mutants
#endif

extension PaymentEngine {
    /// The largest offset of the store's clock: 200 years.
    package static let offsetMaximum = Duration.seconds(200 * 366 * 86400)
    /// Renewals that may fall due in one advance: at a test store's fast rates, a month has many.
    package static let advanceRenewalsMaximum = 10_000
    /// Rounds without progress after which waiting for due work ends: its row cannot be read, or it waits for a charge
    /// that the provider does not answer. Two suffice: after the first, everything stored is handed over, and the
    /// second performs it.
    private static let idleRoundsMaximum = 3
    /// The same for a ledger that hosts share: another host may be at the work, for as long as a provider may take to answer.
    private static let sharedIdleRoundsMaximum =
        Int(BoundedProvider.answerMaximum / OtherHosts.pause) + idleRoundsMaximum

    /// The reading of the store's clock.
    package func clock() -> ClockReading {
        ClockReading(
            now: time.now().roundedToMilliseconds,
            offset: controls.clock?.offset ?? .zero,
            isAdjustable: controls.clock != nil
        )
    }

    /// Advances the simulated store's clock permanently, and returns once everything that is due by the new time is
    /// done, except for work that waits for a provider that does not answer. Charges under way are settled first,
    /// because at the new time they could be too old to be repeated. If the call is cancelled after that, the clock
    /// stays advanced and the work continues.
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

    /// Advances the simulated store's clock permanently, without waiting for the work that is due by the new time.
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
                return .failure(TillError(.failedPrecondition, "The clock is already 200 years ahead, the limit."))
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
                "Invalid duration: advance the clock by more than 0 s and at most \(days) days."
            )
        }
    }

    /// Refuses an advance by which too many renewals fall due, estimated from the present periods of the subscriptions.
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
            "About \(Int(min(renewals, 1e9))) renewals would fall due, and the limit is \(advanceRenewalsMaximum) at once: advance in smaller steps, or set a slower time-rate."
        )
    }

    /// Returns once all work is done that is due by now, including the work that it makes due by now, or once several
    /// rounds of work have changed nothing. A round always ends, because the wait for a provider's answer is limited.
    ///
    /// - Throws: `unavailable` when its task is cancelled first.
    package func settleDue() async throws(TillError) {
        let end = time.now().roundedToMilliseconds
        var last: DueWork?
        var idleRounds = 0
        let isShared = access.ledger.isShared
        while idleRounds < (isShared ? Self.sharedIdleRoundsMaximum : Self.idleRoundsMaximum) {
            guard !Task.isCancelled else {
                throw TillError(
                    .unavailable,
                    "The daemon stopped before all due work was done: it continues after its next start."
                )
            }
            await settleJobs()
            guard let work = try await read({ try DueWork(by: end, isShared: isShared, $0) }) else {
                return
            }
            idleRounds = work == last ? idleRounds + 1 : 0
            last = work
            if isShared, idleRounds > 0 {
                await otherHosts.pause()
            }
            #if MUTANTS
                if Mutant.clockAnsweredEarly.isPlanted {
                    return
                }
            #endif
            try await handOverWhatIsStored()
        }
    }

    /// Returns once the charges of all commits that a reader may have seen are handed over: a commit is visible before
    /// it is answered, and groups are answered in order.
    private func handOverWhatIsStored() async throws(TillError) {
        try await commit(isOwn: true) { _ in .success(()) }
    }
}

/// The work that is due by some time: two values differ if any work was done in between.
private struct DueWork: Equatable {
    /// Open charges that are searched for renewals.
    private static let chargesPage = 1024

    var date: Date?
    /// Renewal charges that the provider has not answered yet: the next renewals may be due after them. All such charges of a
    /// ledger that hosts share: another host may be asking the provider.
    var charges: [Int64]
    /// The payment of its group that the first due subscription has to wait for.
    var payment: Int64?

    /// Nil when nothing is left.
    init?(by end: Date, isShared: Bool, _ ledger: any LedgerReader) throws {
        date = try ledger.nextDue().flatMap { $0 <= end ? $0 : nil }
        charges = try ledger.dueCharges(at: .distantFuture, limit: Self.chargesPage)
            .filter { $0.attempts == 0 && (isShared || $0.transactionKey == nil) }.map(\.key)
        guard date != nil || !charges.isEmpty else {
            return nil
        }
        payment = try ledger.dueSubscriptions(at: end, limit: 1).first.flatMap { record in
            let exclusiveGroup = SubscriptionPurchase.exclusiveGroup(ofSubscriptionGroup: record.groupID)
            return try ledger.unsettledCharges(exclusiveGroup: exclusiveGroup, in: record.queue, limit: 1).first?.key
        }
    }
}
