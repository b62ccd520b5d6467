import CTillMessages
import ProtobufCodec

/// What a setting becomes.
package struct SettingChange: Hashable, Sendable {
    package var name: String
    /// Nil for what the files say.
    package var value: String?

    package init(name: String, value: String?) {
        self.name = name
        self.value = value
    }
}

extension SettingChange: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension SettingChange: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__SettingChange> {
        unsafe till__v1__setting_change__init
    }

    init(fields: Till__V1__SettingChange) {
        let hasValue = unsafe fields.value_presence_case == TILL__V1__SETTING_CHANGE__VALUE_PRESENCE_VALUE
        unsafe self.init(
            name: String(field: fields.name),
            value: hasValue ? String(field: fields.value) : nil
        )
    }

    func fill(_ fields: inout Till__V1__SettingChange, _ scratch: borrowing Scratch) {
        unsafe fields.name = scratch.text(name)
        if let value {
            unsafe fields.value_presence_case = TILL__V1__SETTING_CHANGE__VALUE_PRESENCE_VALUE
            unsafe fields.value = scratch.text(value)
        }
    }
}
