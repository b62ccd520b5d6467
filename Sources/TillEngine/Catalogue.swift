import FoundationEssentials
package import TillModel

/// The products that the store sells, and how it behaves unless an operator says otherwise.
package protocol Catalogue: Sendable {
    var settings: StoreSettings { get }
    /// All identifiers, in order.
    var productIDs: [String] { get }
    /// The product as a storefront sells it, with its texts in a language.
    ///
    /// - Parameters:
    ///   - locale: BCP 47; nil, and what is unknown, stand for the store's own language.
    ///   - storefront: ISO 3166-1 alpha-3, which decides the currency.
    func product(_ id: String, locale: String?, storefront: String) -> Product?
    /// What the store hosts for the product, as ``product(_:locale:storefront:)`` lists it.
    func contents(ofProduct id: String) -> [ContentSource]
    /// Whether there is a storefront of an ISO 3166-1 alpha-3 code.
    func hasStorefront(countryCode: String) -> Bool
    /// The storefront of an ISO 3166-1 alpha-3 code.
    func storefront(countryCode: String) -> Storefront
    /// What is wrong with a discount's signature; nil when it is right.
    ///
    /// The signature covers the application, the key, the product, the offer, the username, the nonce and the timestamp
    /// (https://developer.apple.com/documentation/storekit/generating-a-signature-for-promotional-offers).
    func fault(
        of discount: PaymentDiscount,
        application: String,
        productID: String,
        applicationUsername: String?
    ) -> PaymentError?
}
