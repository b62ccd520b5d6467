import CTillMessages
import ProtobufCodec
package import TillModel

/// Adds a payment to the queue; sending the same again is harmless.
package struct AddPaymentRequest: Hashable, Sendable {
    package var payment: Payment

    package init(payment: Payment) {
        self.payment = payment
    }
}

extension AddPaymentRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension AddPaymentRequest: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__AddPaymentRequest> {
        unsafe till__v1__add_payment_request__init
    }

    init(fields: Till__V1__AddPaymentRequest) throws(DecodingFailure) {
        try unsafe self.init(payment: .required(fields.payment, "payment"))
    }

    func fill(_ fields: inout Till__V1__AddPaymentRequest, _ scratch: borrowing Scratch) {
        unsafe fields.payment = scratch.message(payment)
    }
}
