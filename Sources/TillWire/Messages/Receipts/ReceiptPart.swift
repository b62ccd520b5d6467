import CTillMessages
import ProtobufCodec

/// A part of the application's receipt.
package struct ReceiptPart: Hashable, Sendable {
    package var data: [UInt8]

    package init(data: [UInt8]) {
        self.data = data
    }
}

extension ReceiptPart: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension ReceiptPart: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__ReceiptPart> {
        unsafe till__v1__receipt_part__init
    }

    init(fields: Till__V1__ReceiptPart) {
        unsafe self.init(
            data: [UInt8](field: fields.data)
        )
    }

    func fill(_ fields: inout Till__V1__ReceiptPart, _ scratch: borrowing Scratch) {
        unsafe fields.data = scratch.bytes(data)
    }
}
