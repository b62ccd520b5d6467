import CTillMessages
package import FoundationEssentials
import ProtobufCodec
import TillModel

/// Takes a final transaction out of the queue; doing so again is harmless.
package struct FinishTransactionRequest: Hashable, Sendable {
    package var transactionID: UUID

    package init(transactionID: UUID) {
        self.transactionID = transactionID
    }
}

extension FinishTransactionRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension FinishTransactionRequest: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__FinishTransactionRequest> {
        unsafe till__v1__finish_transaction_request__init
    }

    init(fields: Till__V1__FinishTransactionRequest) throws(DecodingFailure) {
        try unsafe self.init(transactionID: UUID(fields.transaction_id, "transaction_id"))
    }

    func fill(_ fields: inout Till__V1__FinishTransactionRequest, _ scratch: borrowing Scratch) {
        unsafe fields.transaction_id = scratch.bytes(transactionID.bytes)
    }
}
