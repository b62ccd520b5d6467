package import TillModel

/// A product from a catalogue file, with the texts in all languages.
package struct CatalogueProduct: Hashable, Sendable, Identifiable {
    package var id: String
    /// The file's internal id of the product; in synced files, App Store Connect's number.
    package var internalID: String?
    /// The developer's name of the product; customers see it only if there is no display name.
    package var referenceName: String?
    package var type: ProductType
    package var price: Price
    package var isFamilyShareable: Bool
    /// In the file's order.
    package var localizations: [Localization]
    /// Present only for auto-renewable subscriptions; its `groupName` is not localised.
    package var subscription: SubscriptionInfo?
    /// The localised names of the group; empty for most files.
    package var groupLocalizations: [Localization]
    /// The language for requests without a language.
    package var defaultLanguage: LanguageTag
    /// The hosted content, in the order of the content manifest.
    package var contents: [ContentSource] = []

    /// The product in one language.
    ///
    /// - Parameter locale: A BCP 47 language; if nil or invalid, the file's language is used. The texts are those of
    ///   the best match, else American English, else the first. An empty text is replaced by the reference name, else
    ///   by the product's identifier.
    package func product(locale: String?) -> Product {
        let wanted = locale.flatMap(LanguageTag.init) ?? defaultLanguage
        let texts = localizations.best(for: wanted)
        var subscription = subscription
        if let name = groupLocalizations.best(for: wanted)?.displayName, !name.isEmpty {
            subscription?.groupName = name
        }
        return Product(
            id: id,
            type: type,
            displayName: firstText(texts?.displayName, referenceName),
            description: firstText(texts?.description, referenceName),
            price: price,
            locale: (texts?.language ?? defaultLanguage).description,
            isFamilyShareable: isFamilyShareable,
            subscription: subscription,
            contents: contents.map(\.content)
        )
    }

    private func firstText(_ candidates: String?...) -> String {
        candidates.compactMap(\.self).first { !$0.isEmpty } ?? id
    }
}

/// The texts of a product, or of a subscription group, in one language.
package struct Localization: Hashable, Sendable {
    /// Nil if the file has no valid language.
    package var language: LanguageTag?
    /// Empty if missing in the file.
    package var displayName: String
    /// Empty if missing in the file.
    package var description: String

    package init(language: LanguageTag?, displayName: String, description: String) {
        self.language = language
        self.displayName = displayName
        self.description = description
    }
}

extension [Localization] {
    /// The entry for a requested language: the best match, else American English, else the first.
    func best(for wanted: LanguageTag) -> Localization? {
        closest(to: wanted) ?? closest(to: .americanEnglish) ?? first
    }

    private func closest(to wanted: LanguageTag) -> Localization? {
        var closest: (fitness: Int, localization: Localization)?
        for localization in self {
            guard let fitness = localization.language?.fitness(for: wanted) else { continue }
            if let found = closest, found.fitness >= fitness { continue }
            closest = (fitness, localization)
        }
        return closest?.localization
    }
}
