import CTillMessages
package import FoundationEssentials
import ProtobufCodec
import TillModel

/// Signs a transaction anew.
package struct RebuildReceiptRequest: Hashable, Sendable {
    package var transactionID: UUID
    package var reason: String

    package init(transactionID: UUID, reason: String) {
        self.transactionID = transactionID
        self.reason = reason
    }
}

extension RebuildReceiptRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension RebuildReceiptRequest: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__RebuildReceiptRequest> {
        unsafe till__v1__rebuild_receipt_request__init
    }

    init(fields: Till__V1__RebuildReceiptRequest) throws(DecodingFailure) {
        try unsafe self.init(
            transactionID: UUID(fields.transaction_id, "transaction_id"),
            reason: String(field: fields.reason)
        )
    }

    func fill(_ fields: inout Till__V1__RebuildReceiptRequest, _ scratch: borrowing Scratch) {
        unsafe fields.transaction_id = scratch.bytes(transactionID.bytes)
        unsafe fields.reason = scratch.text(reason)
    }
}
