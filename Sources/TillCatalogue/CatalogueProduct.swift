package import TillModel

/// A product as its file describes it, with the texts of all languages.
package struct CatalogueProduct: Hashable, Sendable, Identifiable {
    package var id: String
    /// The file's own name for the product; synced files have App Store Connect's number here.
    package var internalID: String?
    /// What the developer calls it; never shown to customers while there is a display name.
    package var referenceName: String?
    package var type: ProductType
    package var price: Price
    package var isFamilyShareable: Bool
    /// In the file's order.
    package var localizations: [Localization]
    /// Present exactly for auto-renewable subscriptions; its `groupName` is the untranslated one.
    package var subscription: SubscriptionInfo?
    /// The group's names in the languages the file has; empty for most files.
    package var groupLocalizations: [Localization]
    /// The language of who asks for none.
    package var defaultLanguage: LanguageTag
    /// What the store hosts for it, in the order of the content manifest.
    package var contents: [ContentSource] = []

    /// The product in one language.
    ///
    /// - Parameter locale: BCP 47; nil, or what cannot be read, stands for the file's own. The texts are those of the
    ///   best match, else American English, else the first; an empty text is replaced by the reference name, else by
    ///   the product's identifier.
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
