import CTillMessages
import FoundationEssentials
import ProtobufCodec
package import TillModel

extension ChargeSummary: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension ChargeSummary: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__ChargeSummary> {
        unsafe till__v1__charge_summary__init
    }

    init(fields: Till__V1__ChargeSummary) throws(DecodingFailure) {
        try unsafe self.init(
            paymentID: UUID(fields.payment_id, "payment_id"),
            state: State(fields.state.rawValue, "state"),
            amount: fields.amount,
            currency: String(field: fields.currency),
            attempts: Int(fields.attempts),
            reference: .optional(fields.reference),
            dueAt: Date(millisecondsSince1970: fields.due_ms)
        )
    }

    func fill(_ fields: inout Till__V1__ChargeSummary, _ scratch: borrowing Scratch) {
        unsafe fields.payment_id = scratch.bytes(paymentID.bytes)
        unsafe fields.state = Till__V1__ChargeState(state.enumerator)
        unsafe fields.amount = amount
        unsafe fields.currency = scratch.text(currency)
        unsafe fields.attempts = UInt32(clamping: attempts)
        unsafe fields.reference = scratch.text(reference ?? "")
        unsafe fields.due_ms = dueAt.millisecondsSince1970
    }
}
