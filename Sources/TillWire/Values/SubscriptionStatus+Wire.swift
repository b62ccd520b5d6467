import CTillMessages
import FoundationEssentials
import ProtobufCodec
package import TillModel

extension SubscriptionStatus: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension SubscriptionStatus: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__SubscriptionStatus> {
        unsafe till__v1__subscription_status__init
    }

    init(fields: Till__V1__SubscriptionStatus) throws(DecodingFailure) {
        let hasGracePeriodExpirationDate =
            unsafe fields.grace_period_expiration_presence_case
            == TILL__V1__SUBSCRIPTION_STATUS__GRACE_PERIOD_EXPIRATION_PRESENCE_GRACE_PERIOD_EXPIRATION_MS
        try unsafe self.init(
            groupID: String(field: fields.group_id),
            productID: String(field: fields.product_id),
            renewalProductID: String(field: fields.renewal_product_id),
            state: SubscriptionState(fields.state.rawValue, "state"),
            expirationDate: Date(millisecondsSince1970: fields.expiration_ms),
            gracePeriodExpirationDate: hasGracePeriodExpirationDate
                ? Date(millisecondsSince1970: fields.grace_period_expiration_ms) : nil,
            willAutoRenew: Bool(field: fields.will_auto_renew),
            expirationReason: .optional(fields.expiration_reason.rawValue, "expiration_reason"),
            priceConsent: PriceConsent(fields.price_consent.rawValue, "price_consent"),
            renewalPrice: .required(fields.renewal_price, "renewal_price"),
            originalID: UUID(fields.original_id, "original_id"),
            originalTransactionIdentifier: String(field: fields.original_transaction_identifier),
            latestID: UUID(fields.latest_id, "latest_id"),
            renewalInfo: .optional(fields.renewal_info)
        )
    }

    func fill(_ fields: inout Till__V1__SubscriptionStatus, _ scratch: borrowing Scratch) {
        unsafe fields.group_id = scratch.text(groupID)
        unsafe fields.product_id = scratch.text(productID)
        unsafe fields.renewal_product_id = scratch.text(renewalProductID)
        unsafe fields.state = Till__V1__SubscriptionState(state.enumerator)
        unsafe fields.expiration_ms = expirationDate.millisecondsSince1970
        if let gracePeriodExpirationDate {
            unsafe fields.grace_period_expiration_presence_case =
                TILL__V1__SUBSCRIPTION_STATUS__GRACE_PERIOD_EXPIRATION_PRESENCE_GRACE_PERIOD_EXPIRATION_MS
            unsafe fields.grace_period_expiration_ms = gracePeriodExpirationDate.millisecondsSince1970
        }
        unsafe fields.will_auto_renew = willAutoRenew.field
        unsafe fields.expiration_reason = Till__V1__ExpirationReason(expirationReason?.enumerator ?? 0)
        unsafe fields.price_consent = Till__V1__PriceConsent(priceConsent.enumerator)
        unsafe fields.renewal_price = scratch.message(renewalPrice)
        unsafe fields.original_id = scratch.bytes(originalID.bytes)
        unsafe fields.original_transaction_identifier = scratch.text(originalTransactionIdentifier)
        unsafe fields.latest_id = scratch.bytes(latestID.bytes)
        unsafe fields.renewal_info = scratch.text(renewalInfo ?? "")
    }
}
