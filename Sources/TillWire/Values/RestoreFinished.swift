import CTillMessages
import FoundationEssentials
import ProtobufCodec
import TillModel

/// The message of ``QueueEvent/restoreFinished(id:count:)``.
struct RestoreFinished {
    var id: UUID
    var count: Int

    var event: QueueEvent {
        .restoreFinished(id: id, count: count)
    }
}

extension RestoreFinished: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__RestoreFinished> {
        unsafe till__v1__restore_finished__init
    }

    init(fields: Till__V1__RestoreFinished) throws(DecodingFailure) {
        try unsafe self.init(id: UUID(fields.restore_id, "restore_id"), count: Int(fields.restored_count))
    }

    func fill(_ fields: inout Till__V1__RestoreFinished, _ scratch: borrowing Scratch) {
        unsafe fields.restore_id = scratch.bytes(id.bytes)
        unsafe fields.restored_count = UInt32(clamping: count)
    }
}
