import CTillMessages
import ProtobufCodec
package import TillModel

extension SubscriptionInfo: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension SubscriptionInfo: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__SubscriptionInfo> {
        unsafe till__v1__subscription_info__init
    }

    init(fields: Till__V1__SubscriptionInfo) throws(DecodingFailure) {
        try unsafe self.init(
            groupID: String(field: fields.group_id),
            groupName: String(field: fields.group_name),
            level: Int(fields.level),
            period: .required(fields.period, "period"),
            offers: SubscriptionOffer.list(fields.offers, fields.n_offers, "offers")
        )
    }

    func fill(_ fields: inout Till__V1__SubscriptionInfo, _ scratch: borrowing Scratch) {
        unsafe fields.group_id = scratch.text(groupID)
        unsafe fields.group_name = scratch.text(groupName)
        unsafe fields.level = UInt32(clamping: level)
        unsafe fields.period = scratch.message(period)
        unsafe fields.n_offers = offers.count
        unsafe fields.offers = scratch.messages(offers)
    }
}
