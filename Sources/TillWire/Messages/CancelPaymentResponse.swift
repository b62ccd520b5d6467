import CTillMessages
import ProtobufCodec
package import TillModel

/// The transaction of a payment that was taken back.
package struct CancelPaymentResponse: Hashable, Sendable {
    package var transaction: Transaction

    package init(transaction: Transaction) {
        self.transaction = transaction
    }
}

extension CancelPaymentResponse: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension CancelPaymentResponse: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__CancelPaymentResponse> {
        unsafe till__v1__cancel_payment_response__init
    }

    init(fields: Till__V1__CancelPaymentResponse) throws(DecodingFailure) {
        try unsafe self.init(
            transaction: .required(fields.transaction, "transaction")
        )
    }

    func fill(_ fields: inout Till__V1__CancelPaymentResponse, _ scratch: borrowing Scratch) {
        unsafe fields.transaction = scratch.message(transaction)
    }
}
