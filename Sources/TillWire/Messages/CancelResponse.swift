import CTillMessages
import ProtobufCodec

/// Whether there was such a call.
package struct CancelResponse: Hashable, Sendable {
    package var found: Bool

    package init(found: Bool) {
        self.found = found
    }
}

extension CancelResponse: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension CancelResponse: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__CancelResponse> {
        unsafe till__v1__cancel_response__init
    }

    init(fields: Till__V1__CancelResponse) {
        unsafe self.init(found: Bool(field: fields.found))
    }

    func fill(_ fields: inout Till__V1__CancelResponse, _ scratch: borrowing Scratch) {
        unsafe fields.found = found.field
    }
}
