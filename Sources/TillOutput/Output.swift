/// The output of a verb: text for people, and one JSON object for programs.
package protocol Output {
    var lines: [String] { get }
    var json: JSONObject { get }
}

/// An output whose text is one line.
package protocol OutputLine: Output {
    var text: String { get }
}

extension OutputLine {
    package var lines: [String] {
        [text]
    }
}

/// An enumeration whose cases are printed as the words of their names.
package protocol CaseNamed: CaseIterable {}

extension CaseNamed {
    /// The name for programs: `needsReview` is `needs_review`.
    package var name: String {
        words(separator: "_")
    }

    /// The name for people: `needsReview` is `needs review`.
    package var title: String {
        words(separator: " ")
    }

    /// The case with this name; nil for any other name.
    ///
    /// - Parameter separator: What stands between the words of the name.
    package static func named(_ name: String, separator: String = "_") -> Self? {
        allCases.first { $0.words(separator: separator) == name }
    }

    package func words(separator: String) -> String {
        "\(self)".reduce(into: "") { text, character in
            text += character.isUppercase ? separator + character.lowercased() : String(character)
        }
    }
}
