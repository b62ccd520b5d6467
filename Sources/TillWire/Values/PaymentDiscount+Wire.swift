import CTillMessages
import FoundationEssentials
import ProtobufCodec
package import TillModel

extension PaymentDiscount: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension PaymentDiscount: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__PaymentDiscount> {
        unsafe till__v1__payment_discount__init
    }

    init(fields: Till__V1__PaymentDiscount) throws(DecodingFailure) {
        try unsafe self.init(
            identifier: String(field: fields.identifier),
            keyIdentifier: String(field: fields.key_identifier),
            nonce: UUID(fields.nonce, "nonce"),
            signature: String(field: fields.signature),
            timestamp: Date(millisecondsSince1970: fields.timestamp_ms)
        )
    }

    func fill(_ fields: inout Till__V1__PaymentDiscount, _ scratch: borrowing Scratch) {
        unsafe fields.identifier = scratch.text(identifier)
        unsafe fields.key_identifier = scratch.text(keyIdentifier)
        unsafe fields.nonce = scratch.bytes(nonce.bytes)
        unsafe fields.signature = scratch.text(signature)
        unsafe fields.timestamp_ms = timestamp.millisecondsSince1970
    }
}
