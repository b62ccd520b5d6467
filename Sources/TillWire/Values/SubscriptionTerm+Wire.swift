import CTillMessages
import FoundationEssentials
import ProtobufCodec
package import TillModel

extension SubscriptionTerm: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension SubscriptionTerm: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__SubscriptionTerm> {
        unsafe till__v1__subscription_term__init
    }

    init(fields: Till__V1__SubscriptionTerm) throws(DecodingFailure) {
        try unsafe self.init(
            groupID: String(field: fields.group_id),
            startDate: Date(millisecondsSince1970: fields.start_ms),
            expirationDate: Date(millisecondsSince1970: fields.expiration_ms),
            isRenewal: Bool(field: fields.is_renewal),
            offer: .optional(fields.offer, "offer"),
            isUpgraded: Bool(field: fields.is_upgraded),
            collapsedCount: Int(fields.collapsed_count)
        )
    }

    func fill(_ fields: inout Till__V1__SubscriptionTerm, _ scratch: borrowing Scratch) {
        unsafe fields.group_id = scratch.text(groupID)
        unsafe fields.start_ms = startDate.millisecondsSince1970
        unsafe fields.expiration_ms = expirationDate.millisecondsSince1970
        unsafe fields.is_renewal = isRenewal.field
        unsafe fields.offer = scratch.message(offer)
        unsafe fields.is_upgraded = isUpgraded.field
        unsafe fields.collapsed_count = UInt32(clamping: collapsedCount)
    }
}
