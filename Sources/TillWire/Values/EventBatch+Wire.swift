import CTillMessages
import ProtobufCodec
package import TillModel

/// A batch travels as an `ObserveResponse`.
extension EventBatch: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension EventBatch: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__ObserveResponse> {
        unsafe till__v1__observe_response__init
    }

    init(fields: Till__V1__ObserveResponse) throws(DecodingFailure) {
        try unsafe self.init(
            revision: fields.revision,
            events: QueueEvent.list(fields.events, fields.n_events, "events")
        )
    }

    func fill(_ fields: inout Till__V1__ObserveResponse, _ scratch: borrowing Scratch) {
        unsafe fields.revision = revision
        unsafe fields.n_events = events.count
        unsafe fields.events = scratch.messages(events)
    }
}
