/// The language, script and region of a text (BCP 47), also in the notations of `.storekit` files and POSIX.
package struct LanguageTag: Hashable, Sendable {
    /// Lower case, for example `de`.
    package let language: String
    /// Title case, for example `Hans`.
    package let script: String?
    /// Upper case, for example `DE` or `419`.
    package let region: String?

    /// The default language of a catalogue.
    package static let americanEnglish = LanguageTag(language: "en", script: nil, region: "US")

    private init(language: String, script: String?, region: String?) {
        self.language = language
        self.script = script
        self.region = region
    }

    /// Reads `de-DE`, `de_DE`, `zh_Hans` or `de_DE.UTF-8`; nil for text that does not start with a language.
    ///
    /// Variants and extensions are ignored.
    package init?(_ text: String) {
        let lengthMaximum = 64
        guard text.utf8.count <= lengthMaximum else { return nil }
        let subtags = text.prefix { $0 != "." && $0 != "@" }
            .split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
        guard let first = subtags.first, (2...8).contains(first.count), first.allSatisfy(\.isASCIILetter) else {
            return nil
        }
        var script: String?
        var region: String?
        for subtag in subtags.dropFirst() {
            let isLetters = subtag.allSatisfy(\.isASCIILetter)
            if isLetters, subtag.count == 4, script == nil, region == nil {
                script = subtag.prefix(1).uppercased() + subtag.dropFirst().lowercased()
            } else if region == nil, isLetters && subtag.count == 2 || subtag.isRegionNumber {
                region = subtag.uppercased()
            } else {
                break
            }
        }
        self.init(language: first.lowercased(), script: script, region: region)
    }

    /// The same language in another region.
    func inRegion(_ region: String) -> LanguageTag {
        LanguageTag(language: language, script: impliedScript, region: region)
    }

    /// How well a text in this language matches a request for `wanted`: nil for no match, higher values for better
    /// matches.
    func fitness(for wanted: LanguageTag) -> Int? {
        guard language == wanted.language else { return nil }
        if let mine = impliedScript, let theirs = wanted.impliedScript, mine != theirs { return nil }
        if region == wanted.region { return 2 }
        return region == nil ? 1 : 0
    }

    /// Chinese without a script uses its region's script; for other languages a missing script is not inferred.
    private var impliedScript: String? {
        guard script == nil, language == "zh" else { return script }
        switch region {
        case "TW", "HK", "MO": return "Hant"
        default: return "Hans"
        }
    }
}

extension LanguageTag: CustomStringConvertible {
    /// The tag in BCP 47's spelling, for example `zh-Hans-CN`.
    package var description: String {
        [language, script, region].compactMap(\.self).joined(separator: "-")
    }
}

extension Character {
    fileprivate var isASCIILetter: Bool {
        isASCII && isLetter
    }
}

extension Substring {
    /// Whether it is a numeric region, such as `419` for Latin America.
    fileprivate var isRegionNumber: Bool {
        count == 3 && allSatisfy { ("0"..."9").contains($0) }
    }
}
