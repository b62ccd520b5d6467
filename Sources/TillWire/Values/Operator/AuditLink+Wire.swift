import CTillMessages
import FoundationEssentials
import ProtobufCodec
package import TillModel

extension AuditLink: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension AuditLink: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__AuditLink> {
        unsafe till__v1__audit_link__init
    }

    init(fields: Till__V1__AuditLink) {
        unsafe self.init(
            sequence: fields.sequence,
            date: Date(millisecondsSince1970: fields.date_ms),
            uid: fields.uid,
            action: String(field: fields.action),
            subject: String(field: fields.subject),
            detail: String(field: fields.detail),
            reason: String(field: fields.reason),
            previousHash: [UInt8](field: fields.previous_hash),
            hash: [UInt8](field: fields.hash)
        )
    }

    func fill(_ fields: inout Till__V1__AuditLink, _ scratch: borrowing Scratch) {
        unsafe fields.sequence = sequence
        unsafe fields.date_ms = date.millisecondsSince1970
        unsafe fields.uid = uid
        unsafe fields.action = scratch.text(action)
        unsafe fields.subject = scratch.text(subject)
        unsafe fields.detail = scratch.text(detail)
        unsafe fields.reason = scratch.text(reason)
        unsafe fields.previous_hash = scratch.bytes(previousHash)
        unsafe fields.hash = scratch.bytes(hash)
    }
}
