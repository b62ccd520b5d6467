import CTillMessages
import ProtobufCodec
package import TillModel

extension PaymentError: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension PaymentError: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__PaymentError> {
        unsafe till__v1__payment_error__init
    }

    init(fields: Till__V1__PaymentError) throws(DecodingFailure) {
        try unsafe self.init(
            Code(rawValue: Int(fields.code)),
            String(field: fields.message),
            moneyMoved: MoneyMoved(fields.money_moved.rawValue, "money_moved"),
            retry: RetrySafety(fields.retry.rawValue, "retry"),
            reason: FailureReason(fields.reason.rawValue, "reason"),
            providerCode: .optional(fields.provider_code)
        )
    }

    func fill(_ fields: inout Till__V1__PaymentError, _ scratch: borrowing Scratch) {
        unsafe fields.code = Int32(clamping: code.rawValue)
        unsafe fields.message = scratch.text(message)
        unsafe fields.money_moved = Till__V1__MoneyMoved(moneyMoved.enumerator)
        unsafe fields.retry = Till__V1__RetrySafety(retry.enumerator)
        unsafe fields.provider_code = scratch.text(providerCode ?? "")
        unsafe fields.reason = Till__V1__FailureReason(reason.enumerator)
    }
}
