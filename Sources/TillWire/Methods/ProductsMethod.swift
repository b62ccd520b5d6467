/// The calls of the service `till.v1.Products`, by their names.
package enum ProductsMethod: String, Hashable, Sendable, CaseIterable {
    case products = "Products"
    case storefront = "Storefront"

    package static let service = "till.v1.Products"
}
