import CTillMessages
import ProtobufCodec

/// Asks for the requests that the caller may answer as a stream.
package struct WatchRequest: Hashable, Sendable {
    /// Chosen by the client, unique on its connection; 0 is no name.
    package var watchID: UInt32

    package init(watchID: UInt32 = 0) {
        self.watchID = watchID
    }
}

extension WatchRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension WatchRequest: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__WatchRequest> {
        unsafe till__v1__watch_request__init
    }

    init(fields: Till__V1__WatchRequest) {
        unsafe self.init(watchID: fields.watch_id)
    }

    func fill(_ fields: inout Till__V1__WatchRequest, _ scratch: borrowing Scratch) {
        unsafe fields.watch_id = watchID
    }
}
