package import TillModel

extension PaymentEngine {
    /// Identifiers in one request for products.
    package static let productsMaximum = 8
    /// Products in a page of all; fewer where those would not fit into a frame.
    package static let productsPageMaximum = 128

    package var storefront: Storefront {
        catalogue.storefront(countryCode: settings.storefront)
    }

    /// The product as the present storefront sells it, for decisions: in the catalogue's own language, which takes no
    /// search for the best one.
    func soldProduct(_ id: String) -> Product? {
        catalogue.product(id, locale: nil, storefront: settings.storefront)
    }

    /// The product as the present storefront sells it, for people.
    func product(_ id: String, locale: String? = nil) -> Product? {
        let settings = settings
        return catalogue.product(id, locale: locale ?? settings.locale, storefront: settings.storefront)
    }

    /// The products of these identifiers, and those identifiers that the store does not sell, each once.
    package func products(_ ids: [String], locale: String?) throws(TillError) -> (found: [Product], invalid: [String]) {
        guard ids.count <= Self.productsMaximum else {
            throw TillError(.invalidArgument, "Ask for at most \(Self.productsMaximum) products at once.")
        }
        var seen: Set<String> = []
        let distinct = ids.filter { seen.insert($0).inserted }
        let found = distinct.compactMap { product($0, locale: locale) }
        let foundIDs = Set(found.map(\.id))
        return (found, distinct.filter { !foundIDs.contains($0) })
    }

    /// A page of all products by identifier, and the token of the next page if there is more.
    ///
    /// - Parameter token: What the page before returned; empty for the first page.
    package func allProducts(token: String, locale: String?) -> (page: [Product], next: String?) {
        let rest = catalogue.productIDs.drop { $0 <= token }
        let page = PageWeight.page(
            of: rest.prefix(Self.productsPageMaximum).compactMap { product($0, locale: locale) },
            weight: \.weight
        )
        return (page, page.last?.id == rest.last ? nil : page.last?.id)
    }
}
