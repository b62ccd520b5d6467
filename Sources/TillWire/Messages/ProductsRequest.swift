import CTillMessages
import ProtobufCodec

/// Asks for products by identifier, or for all of them.
package struct ProductsRequest: Hashable, Sendable {
    /// None stands for all products, in pages.
    package var productIDs: [String]
    /// The `nextPageToken` of the page before; nil for the first.
    package var pageToken: String?
    /// BCP 47; nil for the storefront's own.
    package var locale: String?

    package init(productIDs: [String] = [], pageToken: String? = nil, locale: String? = nil) {
        self.productIDs = productIDs
        self.pageToken = pageToken
        self.locale = locale
    }
}

extension ProductsRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension ProductsRequest: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__ProductsRequest> {
        unsafe till__v1__products_request__init
    }

    init(fields: Till__V1__ProductsRequest) {
        unsafe self.init(
            productIDs: [String](fields.product_ids, fields.n_product_ids),
            pageToken: .optional(fields.page_token),
            locale: .optional(fields.locale)
        )
    }

    func fill(_ fields: inout Till__V1__ProductsRequest, _ scratch: borrowing Scratch) {
        unsafe fields.n_product_ids = productIDs.count
        unsafe fields.product_ids = scratch.texts(productIDs)
        unsafe fields.page_token = scratch.text(pageToken ?? "")
        unsafe fields.locale = scratch.text(locale ?? "")
    }
}
