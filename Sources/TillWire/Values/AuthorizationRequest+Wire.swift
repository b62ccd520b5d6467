import CTillMessages
import FoundationEssentials
import ProtobufCodec
package import TillModel

extension AuthorizationRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension AuthorizationRequest: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__AuthorizationRequest> {
        unsafe till__v1__authorization_request__init
    }

    init(fields: Till__V1__AuthorizationRequest) throws(DecodingFailure) {
        let hasApplicationUsername =
            unsafe fields.application_username_presence_case
            == TILL__V1__AUTHORIZATION_REQUEST__APPLICATION_USERNAME_PRESENCE_APPLICATION_USERNAME
        try unsafe self.init(
            id: UUID(fields.id, "id"),
            kind: Kind(fields.kind.rawValue, "kind"),
            application: String(field: fields.application),
            account: String(field: fields.account),
            productID: String(field: fields.product_id),
            displayName: String(field: fields.display_name),
            quantity: Int(fields.quantity),
            price: .required(fields.price, "price"),
            locale: String(field: fields.locale),
            applicationUsername: hasApplicationUsername ? String(field: fields.application_username) : nil,
            createdAt: Date(millisecondsSince1970: fields.created_ms),
            deadline: Date(millisecondsSince1970: fields.deadline_ms)
        )
    }

    func fill(_ fields: inout Till__V1__AuthorizationRequest, _ scratch: borrowing Scratch) {
        unsafe fields.id = scratch.bytes(id.bytes)
        unsafe fields.kind = Till__V1__AuthorizationKind(kind.enumerator)
        unsafe fields.application = scratch.text(application)
        unsafe fields.account = scratch.text(account)
        unsafe fields.product_id = scratch.text(productID)
        unsafe fields.display_name = scratch.text(displayName)
        unsafe fields.quantity = UInt32(clamping: quantity)
        unsafe fields.price = scratch.message(price)
        unsafe fields.locale = scratch.text(locale)
        if let applicationUsername {
            unsafe fields.application_username_presence_case =
                TILL__V1__AUTHORIZATION_REQUEST__APPLICATION_USERNAME_PRESENCE_APPLICATION_USERNAME
            unsafe fields.application_username = scratch.text(applicationUsername)
        }
        unsafe fields.created_ms = createdAt.millisecondsSince1970
        unsafe fields.deadline_ms = deadline.millisecondsSince1970
    }
}
