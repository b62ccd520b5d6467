package import FoundationEssentials
package import TillModel

/// The products of one or more files, sold together in one storefront.
package struct StoreKitCatalogue: Sendable {
    /// The products in the order of the files.
    package let products: [CatalogueProduct]
    /// The identifiers of all products, in alphabetical order.
    package let productIDs: [String]
    /// The settings of the first file, or the defaults if there is no file.
    package let settings: StoreSettings
    /// The App Store's number of the application; nil unless all files that have one agree.
    package let appAppleID: Int64?
    /// The signer of discounts with the files' first key pair, or the error of its key; nil without a key pair.
    let offerSigner: Result<OfferSigner, TillError>?
    /// The warnings of all files.
    package let warnings: [Diagnostic]
    private let positions: [String: Int]
    /// The products in their default language, as the files' storefront sells them: payments are priced by them.
    private let soldProducts: [Product]
    let clock: @Sendable () -> Date

    /// Creates a catalogue; refuses files that share a product or specify different storefronts, and names them in the
    /// error.
    ///
    /// - Parameter clock: The clock for checking discounts; it is independent of a store's virtual clock.
    package init(
        files: [StoreKitConfiguration],
        clock: @escaping @Sendable () -> Date = { Date() }
    ) throws(TillError) {
        if let conflict = Self.conflicts(files).first {
            throw TillError(.invalidArgument, conflict.summary + ".")
        }
        products = files.flatMap(\.products)
        productIDs = products.map(\.id).sorted()
        self.clock = clock
        let settings = (files.first?.settings ?? CatalogueSettings()).storeSettings
        self.settings = settings
        soldProducts = products.map { $0.product(locale: nil).sold(in: settings.storefront) }
        let numbers = Set(files.compactMap(\.settings.applicationID))
        appAppleID = numbers.count == 1 ? numbers.first.flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil } : nil
        offerSigner = files.lazy.compactMap(\.subscriptionOffersKeyPair).first.map { pair in
            Result { () throws(TillError) in try OfferSigner(pair) }
        }
        warnings = files.flatMap(\.warnings)
        positions = Dictionary(zip(products.map(\.id), products.indices)) { first, _ in first }
    }

    /// The storefront of an ISO 3166-1 alpha-3 code.
    package func storefront(countryCode: String) -> Storefront {
        Storefronts.storefront(countryCode: countryCode)
    }

    /// Whether the App Store sells in the country of an ISO 3166-1 alpha-3 code.
    package func hasStorefront(countryCode: String) -> Bool {
        Storefronts.currency(countryCode: countryCode) != nil
    }

    /// The product in the best language for `locale`, as chosen by `CatalogueProduct.product(locale:)`, localised for
    /// the storefront: its locale has the storefront's region, and its prices are the file's numbers in the
    /// storefront's currency, rounded like `Price.chargeable`. Nil if the catalogue does not have the product.
    ///
    /// - Parameter storefront: ISO 3166-1 alpha-3; for an unknown one, prices are in US dollars and the locale keeps
    ///   its own region.
    package func product(_ id: String, locale: String?, storefront: String) -> Product? {
        positions[id].map { position in
            locale == nil && storefront == settings.storefront
                ? soldProducts[position] : products[position].product(locale: locale).sold(in: storefront)
        }
    }

    /// The hosted content of the product, as in ``product(_:locale:storefront:)``.
    package func contents(ofProduct id: String) -> [ContentSource] {
        positions[id].map { products[$0].contents } ?? []
    }

    /// The conflicts between files, each naming both files.
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
        let limits = [
            (CatalogueLimits.products, "products", files.map(\.products.count)),
            (CatalogueLimits.contents, "pieces of content", files.map(\.contentCount)),
        ]
        return conflicts + limits.compactMap { excess(over: $0, of: $1, counts: $2, files) }
    }

    /// An error for the first file with which the catalogue exceeds a limit; nil if it does not.
    private static func excess(
        over limit: Int,
        of things: String,
        counts: [Int],
        _ files: [StoreKitConfiguration]
    ) -> Diagnostic? {
        var total = 0
        for (file, count) in zip(files, counts) {
            total += count
            if total > limit {
                let message = "with this file the catalogue has more than \(limit) \(things)"
                return Diagnostic(.error, file: file.fileName, message)
            }
        }
        return nil
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
    /// The product localised for a storefront.
    fileprivate func sold(in storefront: String) -> Product {
        let currency = Storefronts.currency(countryCode: storefront) ?? Storefronts.currencyDefault
        var product = self
        if let region = Storefronts.region(countryCode: storefront), let language = LanguageTag(locale) {
            product.locale = language.inRegion(region).description
        }
        // Prices in the file's currency are already rounded.
        guard price.currency != currency else {
            return product
        }
        product.price = price.sold(in: currency)
        product.subscription?.offers = (subscription?.offers ?? []).map { offer in
            var offer = offer
            offer.price = offer.price.sold(in: currency)
            return offer
        }
        return product
    }
}

extension Price {
    /// The same number in another currency, rounded to a chargeable amount.
    fileprivate func sold(in currency: String) -> Price {
        Price(amount: amount, currency: currency).chargeable
    }
}
