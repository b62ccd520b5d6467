import CTillMessages
import ProtobufCodec
package import TillModel

/// The transaction with its new receipt.
package struct RebuildReceiptResponse: Hashable, Sendable {
    package var transaction: Transaction

    package init(transaction: Transaction) {
        self.transaction = transaction
    }
}

extension RebuildReceiptResponse: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension RebuildReceiptResponse: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__RebuildReceiptResponse> {
        unsafe till__v1__rebuild_receipt_response__init
    }

    init(fields: Till__V1__RebuildReceiptResponse) throws(DecodingFailure) {
        try unsafe self.init(
            transaction: .required(fields.transaction, "transaction")
        )
    }

    func fill(_ fields: inout Till__V1__RebuildReceiptResponse, _ scratch: borrowing Scratch) {
        unsafe fields.transaction = scratch.message(transaction)
    }
}
