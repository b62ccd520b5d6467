import CTillMessages
import ProtobufCodec
package import TillModel

/// The store's settings.
package struct SettingsResponse: Hashable, Sendable {
    package var settings: [Setting]

    package init(settings: [Setting]) {
        self.settings = settings
    }
}

extension SettingsResponse: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension SettingsResponse: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__SettingsResponse> {
        unsafe till__v1__settings_response__init
    }

    init(fields: Till__V1__SettingsResponse) throws(DecodingFailure) {
        try unsafe self.init(
            settings: Setting.list(fields.settings, fields.n_settings, "settings")
        )
    }

    func fill(_ fields: inout Till__V1__SettingsResponse, _ scratch: borrowing Scratch) {
        unsafe fields.n_settings = settings.count
        unsafe fields.settings = scratch.messages(settings)
    }
}
