public import FoundationEssentials
public import TillModel
import TillWire

extension TillOperator {
    /// The store's current settings.
    public func settings() async throws(TillError) -> [Setting] {
        try await read(SettingsRequest()).settings
    }

    /// Changes settings of the simulated store. If one is refused, none changes.
    ///
    /// - Parameters:
    ///   - changes: At most 32 values by name; nil resets a setting to its configured value.
    ///   - resetsAll: Whether to reset all settings to their configured values before the changes.
    ///   - reason: Why, for the audit log: 1 to 256 bytes.
    /// - Returns: All settings after the change.
    @discardableResult
    public func changeSettings(
        _ changes: [String: String?],
        resetsAll: Bool = false,
        because reason: String
    ) async throws(TillError) -> [Setting] {
        let request = ChangeSettingsRequest(
            changes: changes.sorted { $0.key < $1.key }.map { SettingChange(name: $0.key, value: $0.value) },
            resetAll: resetsAll,
            reason: reason
        )
        return try await change(request).settings
    }

    /// The time of the store's clock.
    public func clock() async throws(TillError) -> ClockReading {
        try await read(ClockRequest())
    }

    /// Sets the simulated store's clock ahead; everything that becomes due happens.
    ///
    /// - Parameters:
    ///   - duration: Positive, in whole milliseconds.
    ///   - reason: Why, for the audit log: 1 to 256 bytes.
    @discardableResult
    public func advanceClock(by duration: Duration, because reason: String) async throws(TillError) -> ClockReading {
        try await change(AdvanceClockRequest(by: duration, reason: reason))
    }
}

/// Each method names a subscription by any of its transactions.
extension TillOperator {
    /// Ends a subscription now.
    @discardableResult
    public func expireSubscription(_ id: UUID, because reason: String) async throws(TillError) -> SubscriptionStatus {
        try await act(.expireSubscription, on: id, reason)
    }

    /// Begins the next period of a subscription now.
    @discardableResult
    public func renewSubscription(_ id: UUID, because reason: String) async throws(TillError) -> SubscriptionStatus {
        try await act(.renewSubscription, on: id, reason)
    }

    /// Turns auto-renewal on or off.
    @discardableResult
    public func setAutoRenew(
        _ id: UUID,
        to isOn: Bool,
        because reason: String
    ) async throws(TillError) -> SubscriptionStatus {
        try await act(isOn ? .enableAutoRenew : .disableAutoRenew, on: id, reason)
    }

    /// Announces a price increase of a subscription to its account, and asks for consent.
    ///
    /// - Parameters:
    ///   - id: Any transaction of the subscription.
    ///   - amount: The new price in the currency's major unit; nil for the catalogue's.
    ///   - reason: Why, for the audit log: 1 to 256 bytes.
    @discardableResult
    public func requestPriceConsent(
        _ id: UUID,
        amount: Decimal? = nil,
        because reason: String
    ) async throws(TillError) -> SubscriptionStatus {
        let request = RequestPriceConsentRequest(transactionID: id, reason: reason, amount: amount)
        return try await change(request).status
    }

    /// Answers for the account whether it agrees to a price increase.
    @discardableResult
    public func answerPriceConsent(
        _ id: UUID,
        agrees: Bool,
        because reason: String
    ) async throws(TillError) -> SubscriptionStatus {
        let request = AnswerPriceConsentRequest(transactionID: id, reason: reason, agrees: agrees)
        return try await change(request).status
    }

    private func act(
        _ method: SubscriptionActionRequest.Method,
        on id: UUID,
        _ reason: String
    ) async throws(TillError) -> SubscriptionStatus {
        try await change(method, SubscriptionActionRequest(transactionID: id, reason: reason))
    }
}

extension TillOperator {
    /// An invitation to the daemon's operator page, for the calling user.
    ///
    /// - Parameter readOnly: Whether the page may only read.
    /// - Throws: `failedPrecondition` if the daemon serves none.
    public func openConsole(readOnly: Bool = false) async throws(TillError) -> ConsoleInvitation {
        try await read(OpenConsoleRequest(readOnly: readOnly))
    }
}

extension TillOperator {
    /// A page of the comparison of the ledger's charges with the provider's.
    ///
    /// - Parameter token: The `next` of the page before; nil for the first.
    public func reconcile(page token: UInt64? = nil) async throws(TillError) -> ReconciliationPage {
        let request = ReconcileRequest(pageToken: token)
        // A lost connection takes its comparison with it.
        return token == nil ? try await read(request) : try await change(request)
    }

    /// The daemon's metrics now. Figures of the ledger are at most five seconds old.
    public func metrics() async throws(TillError) -> [MetricSample] {
        try await read(MetricsRequest()).samples
    }

    /// The daemons that share the ledger, at most 256, in the order of their names; none if the daemon does not share it.
    public func hosts() async throws(TillError) -> [LedgerHost] {
        try await read(HostsRequest()).hosts
    }

    /// The audit log of operators' changes after a sequence number, the oldest first.
    public func auditLog(after sequence: Int64 = 0) -> PagedList<AuditLink> {
        PagedList { [self] (token) async throws(TillError) in
            let after = token.map { Int64(clamping: $0) } ?? sequence
            let response = try await read(AuditRequest(afterSequence: after))
            // The log has no gaps: an answer without newer links is the last.
            let newest = response.links.last?.sequence ?? after
            return (response.links, newest > after ? UInt64(clamping: newest) : nil)
        }
    }
}
