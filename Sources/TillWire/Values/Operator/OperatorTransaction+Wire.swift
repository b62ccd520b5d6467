import CTillMessages
import ProtobufCodec
package import TillModel

extension OperatorTransaction: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension OperatorTransaction: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__OperatorTransaction> {
        unsafe till__v1__operator_transaction__init
    }

    init(fields: Till__V1__OperatorTransaction) throws(DecodingFailure) {
        try unsafe self.init(
            application: String(field: fields.application),
            account: String(field: fields.account),
            transaction: .required(fields.transaction, "transaction"),
            needsReview: Bool(field: fields.needs_review)
        )
    }

    func fill(_ fields: inout Till__V1__OperatorTransaction, _ scratch: borrowing Scratch) {
        unsafe fields.application = scratch.text(application)
        unsafe fields.account = scratch.text(account)
        unsafe fields.transaction = scratch.message(transaction)
        unsafe fields.needs_review = needsReview.field
    }
}
