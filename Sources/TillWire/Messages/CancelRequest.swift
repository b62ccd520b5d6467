import CTillMessages
import ProtobufCodec

/// Ends another call of the connection.
package struct CancelRequest: Hashable, Sendable {
    /// What the call has as its metadata `call-id`.
    package var callID: String

    package init(callID: String) {
        self.callID = callID
    }
}

extension CancelRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension CancelRequest: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__CancelRequest> {
        unsafe till__v1__cancel_request__init
    }

    init(fields: Till__V1__CancelRequest) {
        unsafe self.init(callID: String(field: fields.call_id))
    }

    func fill(_ fields: inout Till__V1__CancelRequest, _ scratch: borrowing Scratch) {
        unsafe fields.call_id = scratch.text(callID)
    }
}
