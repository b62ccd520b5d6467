import CTillMessages
package import FoundationEssentials
import ProtobufCodec
import TillModel

/// Takes a final transaction out of the queue; doing so again is harmless.
package struct FinishTransactionRequest: Hashable, Sendable {
    package var transactionID: UUID
    /// Whether the older unfinished renewals of the same subscription are finished with it.
    package var finishesOlderRenewals: Bool

    package init(transactionID: UUID, finishesOlderRenewals: Bool = false) {
        self.transactionID = transactionID
        self.finishesOlderRenewals = finishesOlderRenewals
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
        try unsafe self.init(
            transactionID: UUID(fields.transaction_id, "transaction_id"),
            finishesOlderRenewals: Bool(field: fields.finishes_older_renewals)
        )
    }

    func fill(_ fields: inout Till__V1__FinishTransactionRequest, _ scratch: borrowing Scratch) {
        unsafe fields.transaction_id = scratch.bytes(transactionID.bytes)
        unsafe fields.finishes_older_renewals = finishesOlderRenewals.field
    }
}
