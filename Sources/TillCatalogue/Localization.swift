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
