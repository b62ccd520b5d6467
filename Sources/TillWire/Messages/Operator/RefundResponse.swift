import CTillMessages
import ProtobufCodec
package import TillModel

/// A refund, and the transaction after it.
package struct RefundResponse: Hashable, Sendable {
    package var refund: RefundSummary
    package var transaction: Transaction

    package init(refund: RefundSummary, transaction: Transaction) {
        self.refund = refund
        self.transaction = transaction
    }
}

extension RefundResponse: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension RefundResponse: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__RefundResponse> {
        unsafe till__v1__refund_response__init
    }

    init(fields: Till__V1__RefundResponse) throws(DecodingFailure) {
        try unsafe self.init(
            refund: .required(fields.refund, "refund"),
            transaction: .required(fields.transaction, "transaction")
        )
    }

    func fill(_ fields: inout Till__V1__RefundResponse, _ scratch: borrowing Scratch) {
        unsafe fields.refund = scratch.message(refund)
        unsafe fields.transaction = scratch.message(transaction)
    }
}
