public import TillModel
import TillWire

/// What the store says of the products it was asked for.
public struct ProductsAnswer: Hashable, Sendable {
    /// In no particular order.
    public var products: [Product]
    /// Why each of the other identifiers is not sold.
    public var invalid: [String: String]
}

extension PaymentQueue {
    /// The products of these identifiers.
    ///
    /// - Parameter locale: BCP 47; nil for the store's own language.
    public func products(_ ids: [String], locale: String? = nil) async throws(TillError) -> ProductsAnswer {
        var answer = ProductsAnswer(products: [], invalid: [:])
        var rest = ids[...]
        while !rest.isEmpty {
            let asked = Array(rest.prefix(WireProtocol.productsMaximum))
            let page = try await products(ProductsRequest(productIDs: asked, pageToken: nil, locale: locale))
            answer.products += page.products
            page.invalid.forEach { answer.invalid[$0.productID] = $0.reason }
            rest = rest.dropFirst(asked.count)
        }
        return answer
    }

    /// Everything that the store sells.
    public func allProducts(locale: String? = nil) async throws(TillError) -> [Product] {
        var products: [Product] = []
        var token: String?
        repeat {
            let page = try await self.products(ProductsRequest(productIDs: [], pageToken: token, locale: locale))
            products += page.products
            token = page.nextPageToken
        } while token != nil
        return products
    }

    /// Where the store sells.
    public func storefront() async throws(TillError) -> Storefront {
        try await connector.call(ProductsMethod.service, ProductsMethod.storefront.rawValue, StorefrontRequest())
    }

    private func products(_ request: ProductsRequest) async throws(TillError) -> ProductsResponse {
        try await connector.call(ProductsMethod.service, ProductsMethod.products.rawValue, request)
    }
}
