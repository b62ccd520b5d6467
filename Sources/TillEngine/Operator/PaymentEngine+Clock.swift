import FoundationEssentials
package import TillModel

extension PaymentEngine {
    /// The furthest that the clock is advanced at once: 20 years.
    package static let advanceMaximum = Duration.seconds(20 * 366 * 86400)
    /// The furthest that it may be ahead: 200 years.
    package static let offsetMaximum = Duration.seconds(200 * 366 * 86400)
    /// Renewals that may fall due by one advance: at a test store's fast rates months are many.
    package static let advanceRenewalsMaximum = 10_000
    /// Rounds of work after which due work that has not changed is given up: its row cannot be read, or it waits for a
    /// provider that does not answer. A renewal may need one round for another payment of its group, and one of its own.
    private static let idleRoundsMaximum = 3

    /// What the store's clock shows.
    package func clock() -> ClockReading {
        ClockReading(
            now: time.now().roundedToMilliseconds,
            offset: controls.clock?.offset ?? .zero,
            isAdjustable: controls.clock != nil
        )
    }

    /// Advances the simulated store's clock for good, and returns once everything that was due by then is done. Charges
    /// under way are settled first: by the new time they could be too old to be repeated. If the caller goes away after
    /// that, the clock stays advanced and the work continues.
    ///
    /// - Throws: `failedPrecondition` when the clock is the machine's, `invalidArgument` for a step back or beyond
    ///   ``advanceMaximum``: nothing happened.
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
        guard duration > .zero, duration <= Self.advanceMaximum else {
            throw TillError(.invalidArgument, "The clock is advanced by more than nothing, and at most 20 years.")
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

    /// Returns once everything is done that is due by now, and whatever that makes due by now.
    package func settleDue() async throws(TillError) {
        let end = time.now()
        var last: DueWork?
        var idleRounds = 0
        while !Task.isCancelled, idleRounds < Self.idleRoundsMaximum {
            await settleJobs()
            guard let work = try await read({ try DueWork(by: end, $0) }) else {
                return
            }
            idleRounds = work == last ? idleRounds + 1 : 0
            last = work
            try await handOverWhatIsStored()
        }
    }

    /// Returns once the charges of all commits that a reader may have seen are handed over: a commit is visible before
    /// it is acknowledged, and groups are acknowledged in order.
    private func handOverWhatIsStored() async throws(TillError) {
        try await commit(isOwn: true) { _ in .success(()) }
    }
}

/// What is left to do by some time.
private struct DueWork: Equatable {
    /// Open charges that are looked through for renewals.
    private static let chargesPage = 1024

    var date: Date?
    /// A renewal whose charge the provider is being asked for: the next one may be due after it.
    var renewal: Int64?

    /// Nil when nothing is left.
    init?(by end: Date, _ ledger: any LedgerReader) throws {
        date = try ledger.nextDue().flatMap { $0 <= end ? $0 : nil }
        renewal = try ledger.dueCharges(at: .distantFuture, limit: Self.chargesPage).first { charge in
            charge.transactionKey == nil && charge.attempts == 0
        }?.key
        if date == nil, renewal == nil {
            return nil
        }
    }
}
