import CTillMessages
import FoundationEssentials
import ProtobufCodec
import TillModel

/// The message of ``QueueEvent/restoreFailed(id:error:)``.
struct RestoreFailed {
    var id: UUID
    var error: PaymentError

    var event: QueueEvent {
        .restoreFailed(id: id, error: error)
    }
}

extension RestoreFailed: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__RestoreFailed> {
        unsafe till__v1__restore_failed__init
    }

    init(fields: Till__V1__RestoreFailed) throws(DecodingFailure) {
        try unsafe self.init(id: UUID(fields.restore_id, "restore_id"), error: .required(fields.error, "error"))
    }

    func fill(_ fields: inout Till__V1__RestoreFailed, _ scratch: borrowing Scratch) {
        unsafe fields.restore_id = scratch.bytes(id.bytes)
        unsafe fields.error = scratch.message(error)
    }
}
