import CTillMessages
import ProtobufCodec

/// Says that an answer is durable.
package struct AnswerResponse: Hashable, Sendable {
    package init() {}
}

extension AnswerResponse: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension AnswerResponse: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__AnswerResponse> {
        unsafe till__v1__answer_response__init
    }

    init(fields: Till__V1__AnswerResponse) {
        self.init()
    }

    func fill(_ fields: inout Till__V1__AnswerResponse, _ scratch: borrowing Scratch) {}
}
