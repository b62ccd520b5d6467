import CTillMessages
package import FoundationEssentials
import ProtobufCodec
import TillModel

/// Asks why a transaction is as it is.
package struct ExplainRequest: Hashable, Sendable {
    package var transactionID: UUID

    package init(transactionID: UUID) {
        self.transactionID = transactionID
    }
}

extension ExplainRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension ExplainRequest: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__ExplainRequest> {
        unsafe till__v1__explain_request__init
    }

    init(fields: Till__V1__ExplainRequest) throws(DecodingFailure) {
        try unsafe self.init(
            transactionID: UUID(fields.transaction_id, "transaction_id")
        )
    }

    func fill(_ fields: inout Till__V1__ExplainRequest, _ scratch: borrowing Scratch) {
        unsafe fields.transaction_id = scratch.bytes(transactionID.bytes)
    }
}
