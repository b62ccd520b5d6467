import CTillMessages
import ProtobufCodec
package import TillModel

extension AppliedOffer: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension AppliedOffer: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__AppliedOffer> {
        unsafe till__v1__applied_offer__init
    }

    init(fields: Till__V1__AppliedOffer) throws(DecodingFailure) {
        try unsafe self.init(
            type: SubscriptionOffer.OfferType(fields.type.rawValue, "type"),
            id: .optional(fields.id),
            paymentMode: SubscriptionOffer.PaymentMode(fields.payment_mode.rawValue, "payment_mode")
        )
    }

    func fill(_ fields: inout Till__V1__AppliedOffer, _ scratch: borrowing Scratch) {
        unsafe fields.type = Till__V1__SubscriptionOffer__Type(type.enumerator)
        unsafe fields.id = scratch.text(id ?? "")
        unsafe fields.payment_mode = Till__V1__SubscriptionOffer__PaymentMode(paymentMode.enumerator)
    }
}
