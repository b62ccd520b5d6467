import CTillMessages
import FoundationEssentials
import ProtobufCodec
package import TillModel

extension Entitlement: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension Entitlement: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__Entitlement> {
        unsafe till__v1__entitlement__init
    }

    init(fields: Till__V1__Entitlement) throws(DecodingFailure) {
        let hasExpirationDate =
            unsafe fields.expiration_presence_case == TILL__V1__ENTITLEMENT__EXPIRATION_PRESENCE_EXPIRATION_MS
        try unsafe self.init(
            productID: String(field: fields.product_id),
            productType: ProductType(fields.product_type.rawValue, "product_type"),
            transactionID: UUID(fields.transaction_id, "transaction_id"),
            transactionIdentifier: String(field: fields.transaction_identifier),
            purchaseDate: Date(millisecondsSince1970: fields.purchase_ms),
            expirationDate: hasExpirationDate ? Date(millisecondsSince1970: fields.expiration_ms) : nil,
            subscription: .optional(fields.subscription, "subscription")
        )
    }

    func fill(_ fields: inout Till__V1__Entitlement, _ scratch: borrowing Scratch) {
        unsafe fields.product_id = scratch.text(productID)
        unsafe fields.product_type = Till__V1__ProductType(productType.enumerator)
        unsafe fields.transaction_id = scratch.bytes(transactionID.bytes)
        unsafe fields.transaction_identifier = scratch.text(transactionIdentifier)
        unsafe fields.purchase_ms = purchaseDate.millisecondsSince1970
        if let expirationDate {
            unsafe fields.expiration_presence_case = TILL__V1__ENTITLEMENT__EXPIRATION_PRESENCE_EXPIRATION_MS
            unsafe fields.expiration_ms = expirationDate.millisecondsSince1970
        }
        unsafe fields.subscription = scratch.message(subscription)
    }
}
