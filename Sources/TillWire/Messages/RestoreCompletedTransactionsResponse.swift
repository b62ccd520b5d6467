import CTillMessages
package import FoundationEssentials
import ProtobufCodec
package import TillModel

/// The restore that runs, which may be one that the call joined.
package struct RestoreCompletedTransactionsResponse: Hashable, Sendable {
    package var restoreID: UUID
    /// A cursor from before the restore: observing after it sees every item and the end.
    package var revision: UInt64
    package var state: RestoreState
    /// How many were restored so far.
    package var restoredCount: Int
    /// How many there are to restore in all, as far as is known.
    package var totalCount: Int
    /// Present when failed.
    package var error: PaymentError?

    package init(
        restoreID: UUID,
        revision: UInt64,
        state: RestoreState,
        restoredCount: Int,
        totalCount: Int = 0,
        error: PaymentError? = nil
    ) {
        self.restoreID = restoreID
        self.revision = revision
        self.state = state
        self.restoredCount = restoredCount
        self.totalCount = totalCount
        self.error = error
    }
}

extension RestoreCompletedTransactionsResponse: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension RestoreCompletedTransactionsResponse: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__RestoreCompletedTransactionsResponse> {
        unsafe till__v1__restore_completed_transactions_response__init
    }

    init(fields: Till__V1__RestoreCompletedTransactionsResponse) throws(DecodingFailure) {
        try unsafe self.init(
            restoreID: UUID(fields.restore_id, "restore_id"),
            revision: fields.revision,
            state: RestoreState(fields.state.rawValue, "state"),
            restoredCount: Int(fields.restored_count),
            totalCount: Int(fields.total_count),
            error: .optional(fields.error, "error")
        )
    }

    func fill(_ fields: inout Till__V1__RestoreCompletedTransactionsResponse, _ scratch: borrowing Scratch) {
        unsafe fields.restore_id = scratch.bytes(restoreID.bytes)
        unsafe fields.revision = revision
        unsafe fields.state = Till__V1__RestoreState(state.enumerator)
        unsafe fields.restored_count = UInt32(clamping: restoredCount)
        unsafe fields.total_count = UInt32(clamping: totalCount)
        unsafe fields.error = scratch.message(error)
    }
}
