import CTillMessages
import ProtobufCodec

/// Asks for the application's receipt.
package struct ApplicationReceiptRequest: Hashable, Sendable {
    package init() {}
}

extension ApplicationReceiptRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension ApplicationReceiptRequest: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__ApplicationReceiptRequest> {
        unsafe till__v1__application_receipt_request__init
    }

    init(fields: Till__V1__ApplicationReceiptRequest) {
        self.init()
    }

    func fill(_ fields: inout Till__V1__ApplicationReceiptRequest, _ scratch: borrowing Scratch) {}
}
