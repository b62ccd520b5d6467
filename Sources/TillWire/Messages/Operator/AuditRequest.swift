import CTillMessages
import ProtobufCodec

/// Asks for what operators did.
package struct AuditRequest: Hashable, Sendable {
    /// The sequence of the last link that the caller has; 0 for all.
    package var afterSequence: Int64
    /// 0 stands for the default.
    package var limit: Int

    package init(afterSequence: Int64 = 0, limit: Int = 0) {
        self.afterSequence = afterSequence
        self.limit = limit
    }
}

extension AuditRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension AuditRequest: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__AuditRequest> {
        unsafe till__v1__audit_request__init
    }

    init(fields: Till__V1__AuditRequest) {
        unsafe self.init(
            afterSequence: fields.after_sequence,
            limit: Int(fields.limit)
        )
    }

    func fill(_ fields: inout Till__V1__AuditRequest, _ scratch: borrowing Scratch) {
        unsafe fields.after_sequence = afterSequence
        unsafe fields.limit = UInt32(clamping: limit)
    }
}
