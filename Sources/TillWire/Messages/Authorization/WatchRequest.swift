import CTillMessages
import ProtobufCodec

/// Asks for the requests that the caller may answer as a stream.
package struct WatchRequest: Hashable, Sendable {
    package init() {}
}

extension WatchRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension WatchRequest: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__WatchRequest> {
        unsafe till__v1__watch_request__init
    }

    init(fields: Till__V1__WatchRequest) {
        self.init()
    }

    func fill(_ fields: inout Till__V1__WatchRequest, _ scratch: borrowing Scratch) {}
}
