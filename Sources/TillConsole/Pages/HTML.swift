import FoundationEssentials
import TillModel
import TillOutput

/// HTML text. What an interpolation puts into it is escaped unless it is HTML too, so that no product name, reason or error
/// of a client can become markup.
struct HTML: ExpressibleByStringInterpolation, Hashable, Sendable {
    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 32 * interpolationCount)
        }

        mutating func appendLiteral(_ literal: String) {
            text += literal
        }

        mutating func appendInterpolation(_ value: String) {
            text += HTML.escaped(value)
        }

        mutating func appendInterpolation(_ number: some BinaryInteger) {
            text += "\(number)"
        }

        mutating func appendInterpolation(_ html: HTML) {
            text += html.text
        }

        mutating func appendInterpolation(_ parts: [HTML]) {
            parts.forEach { text += $0.text }
        }
    }

    private(set) var text: String

    init(stringLiteral value: String) {
        text = value
    }

    init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
    }

    /// The text of a value, escaped for elements and for attributes in double quotes. Characters that reorder or control a
    /// line are replaced: a value is shown within other text.
    private static func escaped(_ value: String) -> String {
        value.printable.reduce(into: "") { text, character in
            switch character {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "'": text += "&#39;"
            default: text.append(character)
            }
        }
    }
}

/// Parts that several pages have.
extension HTML {
    /// A table with a caption, which is read out and shown; a sentence instead if there are no rows.
    static func table(_ caption: String, _ headings: [String], _ rows: [[HTML]], orElse sentence: String) -> HTML {
        guard !rows.isEmpty else {
            return "<h2>\(caption)</h2><p class=\"none\">\(sentence)</p>"
        }
        let head = headings.map { "<th scope=\"col\">\($0)</th>" as HTML }
        let body = rows.map { row in
            let cells = zip(headings, row).map { "<td data-label=\"\($0)\"><div>\($1)</div></td>" as HTML }
            return "<tr>\(cells)</tr>" as HTML
        }
        return """
            <h2>\(caption)</h2><div class="scroll" tabindex="0" role="region" aria-label="\(caption)"><table>\
            <thead><tr>\(head)</tr></thead><tbody>\(body)</tbody></table></div>
            """
    }

    /// Terms and their descriptions; a term without a description is left out.
    static func details(_ pairs: [(term: String, description: HTML?)]) -> HTML {
        let items = pairs.compactMap { term, description in
            description.map { "<dt>\(term)</dt><dd>\($0)</dd>" as HTML }
        }
        return "<dl>\(items)</dl>"
    }

    /// A date for people, with its exact value for programs. The script shows it in the reader's time zone.
    static func date(_ date: Date) -> HTML {
        "<time datetime=\"\(date.timestamp)\">\(date.timestamp)</time>"
    }

    /// A link to the page of a transaction.
    static func transaction(_ id: UUID, _ text: String? = nil) -> HTML {
        "<a href=\"#/transaction?id=\(id.text)\">\(text ?? id.text)</a>"
    }

    /// The same with the end of the identity, for tables.
    static func shortTransaction(_ id: UUID) -> HTML {
        transaction(id, "…\(id.text.suffix(8))")
    }

    /// A state with a mark in front, so that colour is not needed to see it.
    static func badge(_ text: String, _ kind: BadgeKind) -> HTML {
        "<span class=\"badge \(kind.rawValue)\">\(kind.mark) \(text)</span>"
    }

    /// A button that leads to the next page of a list, if there is one.
    ///
    /// - Parameter list: The parameter of the view's address, if the view has several lists.
    static func next(_ token: (some BinaryInteger)?, _ text: String, list: String = ViewQuery.page) -> HTML {
        token.map { "<button type=\"button\" data-list=\"\(list)\" data-page=\"\($0)\">\(text)</button>" } ?? ""
    }

    /// A link to a view with parameters.
    static func link(to view: View, _ parameters: [(name: String, value: String)], _ text: String) -> HTML {
        var address = URLComponents()
        address.queryItems = parameters.map { URLQueryItem(name: $0.name, value: $0.value) }
        return "<a href=\"#/\(view.rawValue)?\(address.percentEncodedQuery ?? "")\">\(text)</a>"
    }

    /// A text, if there is one.
    static func text(_ value: String?) -> HTML? {
        value.map { "\($0)" }
    }
}

enum BadgeKind: String {
    case good
    case waiting
    case bad
    case plain

    fileprivate var mark: String {
        switch self {
        case .good: "✓"
        case .waiting: "…"
        case .bad: "!"
        case .plain: "·"
        }
    }
}
