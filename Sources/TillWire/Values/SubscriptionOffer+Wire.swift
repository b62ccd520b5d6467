import CTillMessages
import ProtobufCodec
package import TillModel

extension SubscriptionOffer: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension SubscriptionOffer: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__SubscriptionOffer> {
        unsafe till__v1__subscription_offer__init
    }

    init(fields: Till__V1__SubscriptionOffer) throws(DecodingFailure) {
        try unsafe self.init(
            id: .optional(fields.id),
            type: OfferType(fields.type.rawValue, "type"),
            paymentMode: PaymentMode(fields.payment_mode.rawValue, "payment_mode"),
            price: .required(fields.price, "price"),
            period: .required(fields.period, "period"),
            periodCount: Int(fields.period_count)
        )
    }

    func fill(_ fields: inout Till__V1__SubscriptionOffer, _ scratch: borrowing Scratch) {
        unsafe fields.id = scratch.text(id ?? "")
        unsafe fields.type = Till__V1__SubscriptionOffer__Type(type.enumerator)
        unsafe fields.payment_mode = Till__V1__SubscriptionOffer__PaymentMode(paymentMode.enumerator)
        unsafe fields.price = scratch.message(price)
        unsafe fields.period = scratch.message(period)
        unsafe fields.period_count = UInt32(clamping: periodCount)
    }
}
