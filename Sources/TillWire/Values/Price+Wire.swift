import CTillMessages
import FoundationEssentials
import ProtobufCodec
package import TillModel

extension Price: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension Price: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__Price> {
        unsafe till__v1__price__init
    }

    init(fields: Till__V1__Price) throws(DecodingFailure) {
        try unsafe self.init(
            amount: Decimal(amount: String(field: fields.amount), "amount"),
            currency: String(field: fields.currency)
        )
    }

    func fill(_ fields: inout Till__V1__Price, _ scratch: borrowing Scratch) {
        unsafe fields.amount = scratch.text(amount.description)
        unsafe fields.currency = scratch.text(currency)
    }
}
