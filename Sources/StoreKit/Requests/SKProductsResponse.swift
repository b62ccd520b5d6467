public import Foundation

/// The answer to a product request (https://developer.apple.com/documentation/storekit/skproductsresponse).
// Its stored properties are constants of Sendable types.
open class SKProductsResponse: NSObject, @unchecked Sendable {
    private let fields: (products: [SKProduct], invalid: [String])

    /// Creates an answer without products.
    public override init() {
        fields = ([], [])
        super.init()
    }

    init(products: [SKProduct], invalidProductIdentifiers: [String]) {
        fields = (products, invalidProductIdentifiers)
        super.init()
    }

    /// The products, in no particular order
    /// (https://developer.apple.com/documentation/storekit/skproductsresponse/products).
    open var products: [SKProduct] { fields.products }

    /// The identifiers of products that the store does not sell
    /// (https://developer.apple.com/documentation/storekit/skproductsresponse/invalidproductidentifiers).
    open var invalidProductIdentifiers: [String] { fields.invalid }
}
