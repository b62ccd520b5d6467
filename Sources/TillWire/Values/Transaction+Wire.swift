import CTillMessages
import FoundationEssentials
import ProtobufCodec
package import TillModel

extension Transaction: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension Transaction: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__Transaction> {
        unsafe till__v1__transaction__init
    }

    init(fields: Till__V1__Transaction) throws(DecodingFailure) {
        try unsafe self.init(
            id: UUID(fields.id, "id"),
            revision: fields.revision,
            state: TransactionState(fields.state.rawValue, "state"),
            payment: .required(fields.payment, "payment"),
            purchase: .optional(fields.purchase, "purchase"),
            error: .optional(fields.error, "error"),
            original: .optional(fields.original, "original"),
            isFinished: Bool(field: fields.is_finished)
        )
    }

    func fill(_ fields: inout Till__V1__Transaction, _ scratch: borrowing Scratch) {
        unsafe fields.id = scratch.bytes(id.bytes)
        unsafe fields.revision = revision
        unsafe fields.state = Till__V1__TransactionState(state.enumerator)
        unsafe fields.payment = scratch.message(payment)
        unsafe fields.purchase = scratch.message(purchase)
        unsafe fields.error = scratch.message(error)
        unsafe fields.original = scratch.message(original)
        unsafe fields.is_finished = isFinished.field
    }
}
