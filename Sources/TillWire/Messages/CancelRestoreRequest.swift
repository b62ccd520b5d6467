import CTillMessages
package import FoundationEssentials
import ProtobufCodec
import TillModel

/// Stops a restore.
package struct CancelRestoreRequest: Hashable, Sendable {
    package var restoreID: UUID

    package init(restoreID: UUID) {
        self.restoreID = restoreID
    }
}

extension CancelRestoreRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension CancelRestoreRequest: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__CancelRestoreRequest> {
        unsafe till__v1__cancel_restore_request__init
    }

    init(fields: Till__V1__CancelRestoreRequest) throws(DecodingFailure) {
        try unsafe self.init(
            restoreID: UUID(fields.restore_id, "restore_id")
        )
    }

    func fill(_ fields: inout Till__V1__CancelRestoreRequest, _ scratch: borrowing Scratch) {
        unsafe fields.restore_id = scratch.bytes(restoreID.bytes)
    }
}
