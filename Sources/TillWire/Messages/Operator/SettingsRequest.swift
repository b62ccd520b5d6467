import CTillMessages
import ProtobufCodec

/// Asks for the store's settings.
package struct SettingsRequest: Hashable, Sendable {
    package init() {}
}

extension SettingsRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension SettingsRequest: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__SettingsRequest> {
        unsafe till__v1__settings_request__init
    }

    init(fields: Till__V1__SettingsRequest) {
        self.init()
    }

    func fill(_ fields: inout Till__V1__SettingsRequest, _ scratch: borrowing Scratch) {}
}
