// Generated from Proto/till/v1/entitlement.proto by `make proto`. Change that file instead.

import CTillMessages
import FoundationEssentials
import ProtobufCodec
package import TillModel

extension Entitlement: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__Entitlement> {
        unsafe till__v1__entitlement__init
    }

    init(fields: Till__V1__Entitlement) throws(DecodingFailure) {
        try unsafe self.init(
            productID: String(field: fields.product_id),
            productType: ProductType(fields.product_type.rawValue, "product_type"),
            transactionID: UUID(fields.transaction_id, "transaction_id"),
            transactionIdentifier: String(field: fields.transaction_identifier),
            purchaseDate: Date(milliseconds: Int64(fields.purchase_ms)),
            expirationDate: fields.expiration_presence_case.rawValue == 6
                ? Date(milliseconds: Int64(fields.expiration_ms)) : nil,
            subscription: .optional(fields.subscription, "subscription")
        )
    }

    func fill(_ fields: inout Till__V1__Entitlement, _ scratch: borrowing Scratch) {
        unsafe fields.product_id = scratch.text(productID)
        unsafe fields.product_type.rawValue = productType.enumerator
        unsafe fields.transaction_id = scratch.bytes(transactionID.bytes)
        unsafe fields.transaction_identifier = scratch.text(transactionIdentifier)
        unsafe fields.purchase_ms = purchaseDate.milliseconds
        if let expirationDate {
            unsafe fields.expiration_presence_case.rawValue = 6
            unsafe fields.expiration_ms = expirationDate.milliseconds
        }
        unsafe fields.subscription = scratch.message(subscription)
    }
}

extension SubscriptionStatus: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__SubscriptionStatus> {
        unsafe till__v1__subscription_status__init
    }

    init(fields: Till__V1__SubscriptionStatus) throws(DecodingFailure) {
        try unsafe self.init(
            groupID: String(field: fields.group_id),
            productID: String(field: fields.product_id),
            renewalProductID: String(field: fields.renewal_product_id),
            state: SubscriptionState(fields.state.rawValue, "state"),
            expirationDate: Date(milliseconds: Int64(fields.expiration_ms)),
            gracePeriodExpirationDate: fields.grace_period_expiration_presence_case.rawValue == 6
                ? Date(milliseconds: Int64(fields.grace_period_expiration_ms)) : nil,
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
        unsafe fields.state.rawValue = state.enumerator
        unsafe fields.expiration_ms = expirationDate.milliseconds
        if let gracePeriodExpirationDate {
            unsafe fields.grace_period_expiration_presence_case.rawValue = 6
            unsafe fields.grace_period_expiration_ms = gracePeriodExpirationDate.milliseconds
        }
        unsafe fields.will_auto_renew = willAutoRenew.field
        unsafe fields.expiration_reason.rawValue = expirationReason?.enumerator ?? 0
        unsafe fields.price_consent.rawValue = priceConsent.enumerator
        unsafe fields.renewal_price = scratch.message(renewalPrice)
        unsafe fields.original_id = scratch.bytes(originalID.bytes)
        unsafe fields.original_transaction_identifier = scratch.text(originalTransactionIdentifier)
        unsafe fields.latest_id = scratch.bytes(latestID.bytes)
        unsafe fields.renewal_info = scratch.text(renewalInfo ?? "")
    }
}
