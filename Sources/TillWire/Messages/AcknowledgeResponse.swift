import CTillMessages
import ProtobufCodec

/// Answers an acknowledgement.
package struct AcknowledgeResponse: Hashable, Sendable {
    package init() {}
}

extension AcknowledgeResponse: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension AcknowledgeResponse: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__AcknowledgeResponse> {
        unsafe till__v1__acknowledge_response__init
    }

    init(fields: Till__V1__AcknowledgeResponse) {
        self.init()
    }

    func fill(_ fields: inout Till__V1__AcknowledgeResponse, _ scratch: borrowing Scratch) {}
}
