import CTillMessages
import FoundationEssentials
import ProtobufCodec
package import TillModel

extension RefundSummary: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension RefundSummary: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__RefundSummary> {
        unsafe till__v1__refund_summary__init
    }

    init(fields: Till__V1__RefundSummary) throws(DecodingFailure) {
        try unsafe self.init(
            id: UUID(fields.id, "id"),
            quantity: Int(fields.quantity),
            amount: fields.amount,
            currency: String(field: fields.currency),
            reason: Revocation.Reason(fields.reason.rawValue, "reason"),
            state: State(fields.state.rawValue, "state"),
            reference: .optional(fields.reference),
            createdAt: Date(millisecondsSince1970: fields.created_ms)
        )
    }

    func fill(_ fields: inout Till__V1__RefundSummary, _ scratch: borrowing Scratch) {
        unsafe fields.id = scratch.bytes(id.bytes)
        unsafe fields.quantity = UInt32(clamping: quantity)
        unsafe fields.amount = amount
        unsafe fields.currency = scratch.text(currency)
        unsafe fields.reason = Till__V1__RevocationReason(reason.enumerator)
        unsafe fields.state = Till__V1__RefundSummary__State(state.enumerator)
        unsafe fields.reference = scratch.text(reference ?? "")
        unsafe fields.created_ms = createdAt.millisecondsSince1970
    }
}
