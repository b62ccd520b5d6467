import Foundation
import Testing
@testable import TillDaemon

/// The parts of the manual page and of the documentation that are made from the table of keys.
struct ConfigurationPage: Sendable, CustomTestStringConvertible {
    static let manual = ConfigurationPage(
        file: "tilld.8",
        start: ".\\\" The keys, written by `make pages` from ConfigurationKey.\n",
        end: ".\\\" The end of the keys.\n",
        text: ConfigurationKey.sections.map(manualSection).joined()
    )
    static let documentation = ConfigurationPage(
        file: "Configuration.md",
        start: "<!-- The keys, written by `make pages` from ConfigurationKey. -->\n",
        end: "<!-- The end of the keys. -->\n",
        text: ConfigurationKey.sections.map(table).joined() + "\n"
    )

    let file: String
    /// The lines around the part that is made.
    let start, end: String
    /// The part as it should be.
    let text: String

    var testDescription: String { file }

    var url: URL {
        URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Sources/tilld/Manual/\(file)")
    }

    /// The page with the part as it should be; nil if a line around the part is missing.
    func updated(_ page: String) -> String? {
        guard let start = page.range(of: start), let end = page.range(of: end), start.upperBound <= end.lowerBound
        else {
            return nil
        }
        return page[..<start.upperBound] + text + page[end.lowerBound...]
    }
}

extension ConfigurationPage {
    private static func table(_ section: ConfigurationKey.Section) -> String {
        let rows = section.keys.map { key in
            "| `\(key.name)` | \(key.values) | \(key.defaultText ?? "none") | \(key.summaryAndDetails) |\n"
        }
        return "\n## \(section.title)\n\n| key | values | default | meaning |\n|---|---|---|---|\n\(rows.joined())"
    }

    private static func manualSection(_ section: ConfigurationKey.Section) -> String {
        ".Ss \(section.title)\n.Bl -tag -width Ds\n\(section.keys.map(item).joined()).El\n"
    }

    private static func item(_ key: ConfigurationKey) -> String {
        let notes = [
            key.domain.map { "valid values: \($0)" },
            key.defaultText.map { "default: \($0)" },
        ].compactMap(\.self).joined(separator: "; ")
        let text =
            key.summaryAndDetails + (notes.isEmpty ? "" : " \(notes.prefix(1).uppercased())\(notes.dropFirst()).")
        let value = key.valueName.replacing("=", with: " Ns = Ns Ar ")
        return ".It Fl -\(key.option) Ar \(value)\n\(Roff.text(text))\n"
    }
}

extension ConfigurationKey {
    fileprivate var summaryAndDetails: String {
        details.isEmpty ? help : "\(help) \(details)"
    }

    /// The values in the documentation's table.
    fileprivate var values: String {
        switch kind {
        case .integer(let range): range.text
        case .list, .files: "list of \(takesNoPluralEnding ? valueName : valueName + "s")"
        case .text, .file, .directory, .choice: domain ?? valueName
        }
    }

    private var takesNoPluralEnding: Bool {
        valueName.hasSuffix("s") || valueName.contains("=")
    }
}

/// Markdown as mdoc(7): a sentence to a line, and code as a macro of its own.
private enum Roff {
    static func text(_ markdown: String) -> String {
        var lines = [""]
        for (index, piece) in markdown.split(separator: "`", omittingEmptySubsequences: false).enumerated() {
            if index.isMultiple(of: 2) {
                append(piece, to: &lines)
            } else {
                lines.append(".Li \(piece)")
            }
        }
        return lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// Appends text; punctuation right after code is an argument of the code's macro.
    private static func append(_ text: Substring, to lines: inout [String]) {
        var rest = text
        if lines.count > 1 {
            let marks = rest.prefix { ".,;:".contains($0) }
            lines[lines.count - 1] += marks.map { " \($0)" }.joined()
            rest = rest.dropFirst(marks.count)
        }
        lines += rest.replacing(". ", with: ".\n").split(separator: "\n").map(String.init)
    }
}
