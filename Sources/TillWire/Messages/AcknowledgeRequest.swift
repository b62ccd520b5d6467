import CTillMessages
import ProtobufCodec

/// Tells how far an observer has come, which moves its window.
package struct AcknowledgeRequest: Hashable, Sendable {
    package var observerID: UInt32
    /// Everything up to here was handled.
    package var revision: UInt64

    package init(observerID: UInt32, revision: UInt64) {
        self.observerID = observerID
        self.revision = revision
    }
}

extension AcknowledgeRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension AcknowledgeRequest: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__AcknowledgeRequest> {
        unsafe till__v1__acknowledge_request__init
    }

    init(fields: Till__V1__AcknowledgeRequest) {
        unsafe self.init(observerID: fields.observer_id, revision: fields.revision)
    }

    func fill(_ fields: inout Till__V1__AcknowledgeRequest, _ scratch: borrowing Scratch) {
        unsafe fields.observer_id = observerID
        unsafe fields.revision = revision
    }
}
