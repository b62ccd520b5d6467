import CTillMessages
import ProtobufCodec
package import TillModel

/// The transaction of a payment that is durable.
package struct AddPaymentResponse: Hashable, Sendable {
    package var transaction: Transaction

    package init(transaction: Transaction) {
        self.transaction = transaction
    }
}

extension AddPaymentResponse: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension AddPaymentResponse: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__AddPaymentResponse> {
        unsafe till__v1__add_payment_response__init
    }

    init(fields: Till__V1__AddPaymentResponse) throws(DecodingFailure) {
        try unsafe self.init(transaction: .required(fields.transaction, "transaction"))
    }

    func fill(_ fields: inout Till__V1__AddPaymentResponse, _ scratch: borrowing Scratch) {
        unsafe fields.transaction = scratch.message(transaction)
    }
}
