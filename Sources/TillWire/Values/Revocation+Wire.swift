import CTillMessages
import FoundationEssentials
import ProtobufCodec
package import TillModel

extension Revocation: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension Revocation: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__Revocation> {
        unsafe till__v1__revocation__init
    }

    init(fields: Till__V1__Revocation) throws(DecodingFailure) {
        try unsafe self.init(
            date: Date(millisecondsSince1970: fields.date_ms),
            reason: Reason(fields.reason.rawValue, "reason"),
            quantity: Int(fields.quantity)
        )
    }

    func fill(_ fields: inout Till__V1__Revocation, _ scratch: borrowing Scratch) {
        unsafe fields.date_ms = date.millisecondsSince1970
        unsafe fields.reason = Till__V1__RevocationReason(reason.enumerator)
        unsafe fields.quantity = UInt32(clamping: quantity)
    }
}
