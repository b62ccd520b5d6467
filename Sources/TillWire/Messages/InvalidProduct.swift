import CTillMessages
import ProtobufCodec

/// An identifier that names no product.
package struct InvalidProduct: Hashable, Sendable {
    package var productID: String
    package var reason: String

    package init(productID: String, reason: String) {
        self.productID = productID
        self.reason = reason
    }
}

extension InvalidProduct: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension InvalidProduct: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__InvalidProduct> {
        unsafe till__v1__invalid_product__init
    }

    init(fields: Till__V1__InvalidProduct) {
        unsafe self.init(productID: String(field: fields.product_id), reason: String(field: fields.reason))
    }

    func fill(_ fields: inout Till__V1__InvalidProduct, _ scratch: borrowing Scratch) {
        unsafe fields.product_id = scratch.text(productID)
        unsafe fields.reason = scratch.text(reason)
    }
}
