import CTillMessages
import ProtobufCodec

/// Asks what the store's clock shows.
package struct ClockRequest: Hashable, Sendable {
    package init() {}
}

extension ClockRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension ClockRequest: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__ClockRequest> {
        unsafe till__v1__clock_request__init
    }

    init(fields: Till__V1__ClockRequest) {
        self.init()
    }

    func fill(_ fields: inout Till__V1__ClockRequest, _ scratch: borrowing Scratch) {}
}
