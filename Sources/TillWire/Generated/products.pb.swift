// Generated from Proto/till/v1/products.proto by `make proto`. Change that file instead.

import CTillMessages
import FoundationEssentials
import ProtobufCodec
package import TillModel

/// The methods of `till.v1.Products`.
package enum ProductsMethod: String, ServiceMethod {
    case products = "Products"
    case storefront = "Storefront"

    package static let service = "till.v1.Products"
}

extension ProductsRequest: Call {
    package typealias Response = ProductsResponse

    package static let path = MethodPath(ProductsMethod.products)
}

extension StorefrontRequest: Call {
    package typealias Response = Storefront

    package static let path = MethodPath(ProductsMethod.storefront)
}

/// `till.v1.ProductsRequest`: the request of `Products`.
package struct ProductsRequest: Hashable, Sendable {
    /// At most 8 identifiers; if empty, all products, in pages.
    package var productIDs: [String]
    /// The next_page_token of the page before; empty for the first.
    package var pageToken: String?
    /// BCP 47, for example "en-US"; empty for the storefront's own.
    package var locale: String?

    package init(
        productIDs: [String] = [],
        pageToken: String? = nil,
        locale: String? = nil
    ) {
        self.productIDs = productIDs
        self.pageToken = pageToken
        self.locale = locale
    }
}

extension ProductsRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

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

/// `till.v1.ProductsResponse`: the answer of `Products`.
package struct ProductsResponse: Hashable, Sendable {
    package var products: [Product]
    package var invalid: [InvalidProduct]
    /// Empty after the last page.
    package var nextPageToken: String?

    package init(
        products: [Product],
        invalid: [InvalidProduct] = [],
        nextPageToken: String? = nil
    ) {
        self.products = products
        self.invalid = invalid
        self.nextPageToken = nextPageToken
    }
}

extension ProductsResponse: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

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

/// `till.v1.InvalidProduct`.
package struct InvalidProduct: Hashable, Sendable {
    package var productID: String
    package var reason: String

    package init(
        productID: String,
        reason: String
    ) {
        self.productID = productID
        self.reason = reason
    }
}

extension InvalidProduct: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__InvalidProduct> {
        unsafe till__v1__invalid_product__init
    }

    init(fields: Till__V1__InvalidProduct) {
        unsafe self.init(
            productID: String(field: fields.product_id),
            reason: String(field: fields.reason)
        )
    }

    func fill(_ fields: inout Till__V1__InvalidProduct, _ scratch: borrowing Scratch) {
        unsafe fields.product_id = scratch.text(productID)
        unsafe fields.reason = scratch.text(reason)
    }
}

extension Product: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

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
        unsafe fields.type.rawValue = type.enumerator
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

extension Price: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__Price> {
        unsafe till__v1__price__init
    }

    init(fields: Till__V1__Price) throws(DecodingFailure) {
        try unsafe self.init(
            amount: Decimal.amount(fields.amount, "amount"),
            currency: String(field: fields.currency)
        )
    }

    func fill(_ fields: inout Till__V1__Price, _ scratch: borrowing Scratch) {
        unsafe fields.amount = scratch.text(amount.description)
        unsafe fields.currency = scratch.text(currency)
    }
}

extension SubscriptionInfo: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

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

extension SubscriptionPeriod: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__SubscriptionPeriod> {
        unsafe till__v1__subscription_period__init
    }

    init(fields: Till__V1__SubscriptionPeriod) throws(DecodingFailure) {
        try unsafe self.init(
            unit: Unit(fields.unit.rawValue, "unit"),
            value: Int(fields.value)
        )
    }

    func fill(_ fields: inout Till__V1__SubscriptionPeriod, _ scratch: borrowing Scratch) {
        unsafe fields.unit.rawValue = unit.enumerator
        unsafe fields.value = UInt32(clamping: value)
    }
}

extension SubscriptionOffer: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__SubscriptionOffer> {
        unsafe till__v1__subscription_offer__init
    }

    init(fields: Till__V1__SubscriptionOffer) throws(DecodingFailure) {
        try unsafe self.init(
            id: .optional(fields.id),
            type: OfferType(fields.type.rawValue, "type"),
            paymentMode: PaymentMode(fields.payment_mode.rawValue, "payment_mode"),
            price: .required(fields.price, "price"),
            period: .required(fields.period, "period"),
            periodCount: Int(fields.period_count)
        )
    }

    func fill(_ fields: inout Till__V1__SubscriptionOffer, _ scratch: borrowing Scratch) {
        unsafe fields.id = scratch.text(id ?? "")
        unsafe fields.type.rawValue = type.enumerator
        unsafe fields.payment_mode.rawValue = paymentMode.enumerator
        unsafe fields.price = scratch.message(price)
        unsafe fields.period = scratch.message(period)
        unsafe fields.period_count = UInt32(clamping: periodCount)
    }
}

/// `till.v1.StorefrontRequest`: the request of `Storefront`.
package struct StorefrontRequest: Hashable, Sendable {
    package init() {}
}

extension StorefrontRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__StorefrontRequest> {
        unsafe till__v1__storefront_request__init
    }

    init(fields: Till__V1__StorefrontRequest) {
        self.init()
    }

    func fill(_ fields: inout Till__V1__StorefrontRequest, _ scratch: borrowing Scratch) {}
}

/// Travels as `till.v1.StorefrontResponse`.
extension Storefront: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__StorefrontResponse> {
        unsafe till__v1__storefront_response__init
    }

    init(fields: Till__V1__StorefrontResponse) {
        unsafe self.init(
            countryCode: String(field: fields.country_code),
            identifier: String(field: fields.identifier)
        )
    }

    func fill(_ fields: inout Till__V1__StorefrontResponse, _ scratch: borrowing Scratch) {
        unsafe fields.country_code = scratch.text(countryCode)
        unsafe fields.identifier = scratch.text(identifier)
    }
}
