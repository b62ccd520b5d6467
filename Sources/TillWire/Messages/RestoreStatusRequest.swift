import CTillMessages
package import FoundationEssentials
import ProtobufCodec
import TillModel

/// Asks how far a restore has come.
package struct RestoreStatusRequest: Hashable, Sendable {
    package var restoreID: UUID

    package init(restoreID: UUID) {
        self.restoreID = restoreID
    }
}

extension RestoreStatusRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension RestoreStatusRequest: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__RestoreStatusRequest> {
        unsafe till__v1__restore_status_request__init
    }

    init(fields: Till__V1__RestoreStatusRequest) throws(DecodingFailure) {
        try unsafe self.init(
            restoreID: UUID(fields.restore_id, "restore_id")
        )
    }

    func fill(_ fields: inout Till__V1__RestoreStatusRequest, _ scratch: borrowing Scratch) {
        unsafe fields.restore_id = scratch.bytes(restoreID.bytes)
    }
}
