package import TillModel

/// The products that the store sells.
package protocol Catalogue: Sendable {
    var storefront: Storefront { get }
    /// All identifiers, in order.
    var productIDs: [String] { get }
    /// The product with its texts in `locale` (BCP 47), or in the store's own language when that is nil or unknown.
    func product(_ id: String, locale: String?) -> Product?
}
