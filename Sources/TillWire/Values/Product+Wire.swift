import CTillMessages
import ProtobufCodec
package import TillModel

extension Product: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension Product: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__Product> {
        unsafe till__v1__product__init
    }

    init(fields: Till__V1__Product) throws(DecodingFailure) {
        try unsafe self.init(
            id: String(field: fields.id),
            type: ProductType(fields.type.rawValue, "type"),
            displayName: String(field: fields.display_name),
            description: String(field: fields.description),
            price: .required(fields.price, "price"),
            locale: String(field: fields.locale),
            isFamilyShareable: Bool(field: fields.is_family_shareable),
            subscription: .optional(fields.subscription, "subscription"),
            contents: ProductContent.list(fields.contents, fields.n_contents, "contents")
        )
    }

    func fill(_ fields: inout Till__V1__Product, _ scratch: borrowing Scratch) {
        unsafe fields.id = scratch.text(id)
        unsafe fields.type = Till__V1__ProductType(type.enumerator)
        unsafe fields.display_name = scratch.text(displayName)
        unsafe fields.description = scratch.text(description)
        unsafe fields.price = scratch.message(price)
        unsafe fields.locale = scratch.text(locale)
        unsafe fields.is_family_shareable = isFamilyShareable.field
        unsafe fields.subscription = scratch.message(subscription)
        unsafe fields.n_contents = contents.count
        unsafe fields.contents = scratch.messages(contents)
    }
}
