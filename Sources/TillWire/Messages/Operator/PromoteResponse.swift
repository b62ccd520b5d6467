import CTillMessages
import ProtobufCodec

/// Says that a payment is offered.
package struct PromoteResponse: Hashable, Sendable {
    package init() {}
}

extension PromoteResponse: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension PromoteResponse: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__PromoteResponse> {
        unsafe till__v1__promote_response__init
    }

    init(fields: Till__V1__PromoteResponse) {
        self.init()
    }

    func fill(_ fields: inout Till__V1__PromoteResponse, _ scratch: borrowing Scratch) {}
}
