import CTillMessages
import ProtobufCodec

/// Changes settings of the store, all together or none.
package struct ChangeSettingsRequest: Hashable, Sendable {
    /// Each of another setting.
    package var changes: [SettingChange]
    /// Whether all settings go back to what the files say before the changes.
    package var resetAll: Bool
    /// Why; at most ``WireProtocol/reasonMaximumBytes``.
    package var reason: String

    package init(changes: [SettingChange], resetAll: Bool = false, reason: String) {
        self.changes = changes
        self.resetAll = resetAll
        self.reason = reason
    }
}

extension ChangeSettingsRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension ChangeSettingsRequest: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__ChangeSettingsRequest> {
        unsafe till__v1__change_settings_request__init
    }

    init(fields: Till__V1__ChangeSettingsRequest) throws(DecodingFailure) {
        try unsafe self.init(
            changes: SettingChange.list(fields.changes, fields.n_changes, "changes"),
            resetAll: Bool(field: fields.reset_all),
            reason: String(field: fields.reason)
        )
    }

    func fill(_ fields: inout Till__V1__ChangeSettingsRequest, _ scratch: borrowing Scratch) {
        unsafe fields.n_changes = changes.count
        unsafe fields.changes = scratch.messages(changes)
        unsafe fields.reset_all = resetAll.field
        unsafe fields.reason = scratch.text(reason)
    }
}
