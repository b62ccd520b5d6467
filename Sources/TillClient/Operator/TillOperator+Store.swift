public import TillModel
import TillWire

extension TillOperator {
    /// How the store behaves now.
    public func settings() async throws(TillError) -> [Setting] {
        let response: SettingsResponse = try await read(.settings, SettingsRequest())
        return response.settings
    }

    /// Changes settings of the simulated store, all of them or, when one is refused, none.
    ///
    /// - Parameters:
    ///   - changes: By name; nil for what the files say. At most 32.
    ///   - resetsAll: Whether all settings go back to what the files say before the changes.
    /// - Returns: All settings after it.
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
        let response: SettingsResponse = try await change(.changeSettings, request)
        return response.settings
    }

    /// What the store's clock shows.
    public func clock() async throws(TillError) -> ClockReading {
        try await read(.clock, ClockRequest())
    }

    /// Sets the simulated store's clock ahead; what falls due until then happens.
    ///
    /// - Parameter duration: Whole milliseconds count; never back.
    @discardableResult
    public func advanceClock(by duration: Duration, because reason: String) async throws(TillError) -> ClockReading {
        try await change(.advanceClock, AdvanceClockRequest(by: duration, reason: reason))
    }
}
