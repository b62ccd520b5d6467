import CTillMessages
import ProtobufCodec
package import TillModel

/// A page of products, and the identifiers that name none.
package struct ProductsResponse: Hashable, Sendable {
    package var products: [Product]
    package var invalid: [InvalidProduct]
    /// Nil after the last page.
    package var nextPageToken: String?

    package init(products: [Product], invalid: [InvalidProduct] = [], nextPageToken: String? = nil) {
        self.products = products
        self.invalid = invalid
        self.nextPageToken = nextPageToken
    }
}

extension ProductsResponse: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension ProductsResponse: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__ProductsResponse> {
        unsafe till__v1__products_response__init
    }

    init(fields: Till__V1__ProductsResponse) throws(DecodingFailure) {
        try unsafe self.init(
            products: Product.list(fields.products, fields.n_products, "products"),
            invalid: InvalidProduct.list(fields.invalid, fields.n_invalid, "invalid"),
            nextPageToken: .optional(fields.next_page_token)
        )
    }

    func fill(_ fields: inout Till__V1__ProductsResponse, _ scratch: borrowing Scratch) {
        unsafe fields.n_products = products.count
        unsafe fields.products = scratch.messages(products)
        unsafe fields.n_invalid = invalid.count
        unsafe fields.invalid = scratch.messages(invalid)
        unsafe fields.next_page_token = scratch.text(nextPageToken ?? "")
    }
}
