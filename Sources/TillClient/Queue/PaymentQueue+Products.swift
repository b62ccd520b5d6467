public import TillModel
import TillWire

/// The store's answer to a request for products.
public struct ProductsAnswer: Hashable, Sendable {
    /// In no particular order.
    public var products: [Product]
    /// The reason why each of the other identifiers is not sold.
    public var invalid: [String: String]
}

extension PaymentQueue {
    /// The products of these identifiers.
    ///
    /// - Parameters:
    ///   - ids: Any number of identifiers.
    ///   - locale: BCP 47; nil for the store's own language.
    public func products(_ ids: [String], locale: String? = nil) async throws(TillError) -> ProductsAnswer {
        var answer = ProductsAnswer(products: [], invalid: [:])
        var rest = ids[...]
        while !rest.isEmpty {
            let asked = Array(rest.prefix(WireProtocol.productsMaximum))
            let page = try await call(ProductsRequest(productIDs: asked, pageToken: nil, locale: locale))
            answer.products += page.products
            page.invalid.forEach { answer.invalid[$0.productID] = $0.reason }
            rest = rest.dropFirst(asked.count)
        }
        return answer
    }

    /// All products that the store sells.
    public func allProducts(locale: String? = nil) async throws(TillError) -> [Product] {
        var products: [Product] = []
        var token: String?
        repeat {
            let page = try await call(ProductsRequest(productIDs: [], pageToken: token, locale: locale))
            products += page.products
            token = page.nextPageToken
        } while token != nil
        return products
    }

    /// The store's country and region.
    public func storefront() async throws(TillError) -> Storefront {
        try await call(StorefrontRequest())
    }
}

extension PaymentQueue {
    /// The application's receipt: all purchases of the account in it, signed now, as a JWS in its compact form.
    ///
    /// A receipt without purchases is valid too. Consumables are in the receipt until they are finished. The receipt
    /// holds the newest 10,000 purchases.
    public func applicationReceipt() async throws(TillError) -> String {
        let receipt = try await connector.withSession { (session, timeout) async throws(TillError) in
            try await session.applicationReceipt(timeout: timeout)
        }
        return String(decoding: receipt, as: UTF8.self)
    }

    /// The root certificate of the chains of all receipts of this daemon: X.509 in DER.
    ///
    /// Trust it only if it comes from a trusted source, such as the store's operator.
    public func receiptRootCertificate() async throws(TillError) -> [UInt8] {
        try await call(RootCertificateRequest()).certificate
    }
}
