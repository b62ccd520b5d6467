package import FoundationEssentials
package import TillModel

/// The products of one or more files, sold together in one storefront.
package struct StoreKitCatalogue: Sendable {
    /// In the order of the files, and of the products in them.
    package let products: [CatalogueProduct]
    /// Of all products, in alphabetical order.
    package let productIDs: [String]
    /// How the store behaves: as the first file says, or by default when there is no file.
    package let settings: StoreSettings
    /// The first that a file has.
    package let subscriptionOffersKeyPair: OfferKeyPair?
    /// Of all files.
    package let warnings: [Diagnostic]
    private let positions: [String: Int]
    /// Of each product, what who asks for no language gets.
    private let inOwnLanguage: [Product]
    let clock: @Sendable () -> Date

    /// Refuses files that have a product in common or that name different storefronts, and says which they are.
    ///
    /// - Parameter clock: The time of those who sign discounts, which a store's virtual clock does not move.
    package init(
        files: [StoreKitConfiguration],
        clock: @escaping @Sendable () -> Date = { Date() }
    ) throws(TillError) {
        if let conflict = Self.conflicts(files).first {
            throw TillError(.invalidArgument, conflict.summary + ".")
        }
        products = files.flatMap(\.products)
        productIDs = products.map(\.id).sorted()
        inOwnLanguage = products.map { $0.product(locale: nil) }
        self.clock = clock
        settings = (files.first?.settings ?? CatalogueSettings()).storeSettings
        subscriptionOffersKeyPair = files.lazy.compactMap(\.subscriptionOffersKeyPair).first
        warnings = files.flatMap(\.warnings)
        positions = Dictionary(zip(products.map(\.id), products.indices)) { first, _ in first }
    }

    /// The storefront of an ISO 3166-1 alpha-3 code.
    package func storefront(countryCode: String) -> Storefront {
        Storefronts.storefront(countryCode: countryCode)
    }

    /// The product in the best language for `locale`, as `CatalogueProduct.product(locale:)` picks it, at the file's
    /// amounts in the storefront's currency; nil when the catalogue does not have the product.
    ///
    /// - Parameter storefront: ISO 3166-1 alpha-3; what is unknown sells in US dollars.
    package func product(_ id: String, locale: String?, storefront: String) -> Product? {
        let currency = Storefronts.currency(countryCode: storefront) ?? Storefronts.currencyDefault
        return positions[id].map { position in
            let product = locale == nil ? inOwnLanguage[position] : products[position].product(locale: locale)
            return product.priced(in: currency)
        }
    }

    /// What the store hosts for the product, as ``product(_:locale:storefront:)`` lists it.
    package func contents(ofProduct id: String) -> [ContentSource] {
        positions[id].map { products[$0].contents } ?? []
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
        if files.reduce(0, { $0 + $1.contentCount }) > CatalogueLimits.contents, let last = files.last {
            let message = "with this file the catalogue has more than \(CatalogueLimits.contents) pieces of content"
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

extension Product {
    /// The same at the same amounts in another currency.
    fileprivate func priced(in currency: String) -> Product {
        var product = self
        product.price.currency = currency
        product.subscription?.offers = (subscription?.offers ?? []).map { offer in
            var offer = offer
            offer.price.currency = currency
            return offer
        }
        return product
    }
}
