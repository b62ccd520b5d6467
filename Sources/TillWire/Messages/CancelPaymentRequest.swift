import CTillMessages
package import FoundationEssentials
import ProtobufCodec
import TillModel

/// Takes back a payment that was not charged.
package struct CancelPaymentRequest: Hashable, Sendable {
    package var transactionID: UUID

    package init(transactionID: UUID) {
        self.transactionID = transactionID
    }
}

extension CancelPaymentRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension CancelPaymentRequest: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__CancelPaymentRequest> {
        unsafe till__v1__cancel_payment_request__init
    }

    init(fields: Till__V1__CancelPaymentRequest) throws(DecodingFailure) {
        try unsafe self.init(
            transactionID: UUID(fields.transaction_id, "transaction_id")
        )
    }

    func fill(_ fields: inout Till__V1__CancelPaymentRequest, _ scratch: borrowing Scratch) {
        unsafe fields.transaction_id = scratch.bytes(transactionID.bytes)
    }
}
