import CTillMessages
import ProtobufCodec

/// Ends other calls of the connection.
package struct CancelRequest: Hashable, Sendable {
    /// The metadata `call-id` of the calls; empty names none.
    package var callID: String
    /// The identity of an observer; nil names none.
    package var observerID: UInt32?
    /// The identity of a watch; 0 names none.
    package var watchID: UInt32

    package init(callID: String = "", observerID: UInt32? = nil, watchID: UInt32 = 0) {
        self.callID = callID
        self.observerID = observerID
        self.watchID = watchID
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
        let presence = unsafe fields.observer_id_presence_case
        let namesObserver = presence == TILL__V1__CANCEL_REQUEST__OBSERVER_ID_PRESENCE_OBSERVER_ID
        unsafe self.init(
            callID: String(field: fields.call_id),
            observerID: namesObserver ? fields.observer_id : nil,
            watchID: fields.watch_id
        )
    }

    func fill(_ fields: inout Till__V1__CancelRequest, _ scratch: borrowing Scratch) {
        unsafe fields.call_id = scratch.text(callID)
        if let observerID {
            unsafe fields.observer_id_presence_case = TILL__V1__CANCEL_REQUEST__OBSERVER_ID_PRESENCE_OBSERVER_ID
            unsafe fields.observer_id = observerID
        }
        unsafe fields.watch_id = watchID
    }
}
