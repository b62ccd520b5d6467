package import TillModel

/// The products of one or more files, sold together in one storefront.
package struct StoreKitCatalogue: Sendable {
    /// In the order of the files, and of the products in them.
    package let products: [CatalogueProduct]
    /// Of all products, in alphabetical order.
    package let productIDs: [String]
    /// The first file's; the defaults when there is no file.
    package let settings: CatalogueSettings
    /// The first that a file has.
    package let subscriptionOffersKeyPair: OfferKeyPair?
    /// Of all files.
    package let warnings: [Diagnostic]
    private let positions: [String: Int]

    /// Refuses files that have a product in common or that name different storefronts, and says which they are.
    package init(files: [StoreKitConfiguration]) throws(TillError) {
        if let conflict = Self.conflicts(files).first {
            throw TillError(.invalidArgument, conflict.summary + ".")
        }
        products = files.flatMap(\.products)
        productIDs = products.map(\.id).sorted()
        settings = files.first?.settings ?? CatalogueSettings()
        subscriptionOffersKeyPair = files.lazy.compactMap(\.subscriptionOffersKeyPair).first
        warnings = files.flatMap(\.warnings)
        positions = Dictionary(zip(products.map(\.id), products.indices)) { first, _ in first }
    }

    /// Where the products are sold.
    package var storefront: Storefront {
        settings.storefront
    }

    /// The product in the best language for `locale`, as `CatalogueProduct.product(locale:)` picks it; nil when the
    /// catalogue does not have the product.
    package func product(_ id: String, locale: String?) -> Product? {
        positions[id].map { products[$0].product(locale: locale) }
    }

    /// What keeps files from making one catalogue, each naming both files.
    static func conflicts(_ files: [StoreKitConfiguration]) -> [Diagnostic] {
        var conflicts: [Diagnostic] = []
        var owners: [String: String] = [:]
        for file in files {
            if let first = files.first, file.settings.storefront != first.settings.storefront {
                conflicts.append(storefrontConflict(first, file))
            }
            for product in file.products {
                if let owner = owners.updateValue(file.fileName, forKey: product.id) {
                    let message = "the product is already in \(owner)"
                    conflicts.append(Diagnostic(.error, file: file.fileName, product: product.id, message))
                }
            }
        }
        if owners.count > CatalogueLimits.products, let last = files.last {
            let message = "with this file the catalogue has more than \(CatalogueLimits.products) products"
            conflicts.append(Diagnostic(.error, file: last.fileName, message))
        }
        return conflicts
    }

    private static func storefrontConflict(_ first: StoreKitConfiguration, _ other: StoreKitConfiguration) -> Diagnostic
    {
        let mine = other.settings.storefront.countryCode
        let theirs = first.settings.storefront.countryCode
        let message = "the storefront is \(mine), but that of \(first.fileName) is \(theirs); set the same _storefront"
        return Diagnostic(.error, file: other.fileName, message)
    }
}
