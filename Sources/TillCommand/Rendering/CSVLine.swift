import TillOutput

/// A line of comma-separated values (RFC 4180), without its end.
struct CSVLine {
    /// A value of a line.
    enum Value {
        /// A number or a date, which is written as it is.
        case plain(String)
        /// A text that others may have chosen.
        case text(String)
    }

    var values: [Value]

    var text: String {
        values.map(\.quoted).joined(separator: ",")
    }
}

extension CSVLine.Value {
    /// Characters with which a spreadsheet begins a formula (OWASP, CSV Injection).
    private static let formulas: Set<Character> = ["=", "+", "-", "@"]
    private static let special: Set<Character> = [",", "\"", "\n", "\r", "\r\n"]

    fileprivate var quoted: String {
        switch self {
        case .plain(let value): return value
        case .text(let text):
            let printable = text.printable
            let isFormula = printable.first.map(Self.formulas.contains) ?? false
            let value = isFormula ? "'\(printable)" : printable
            guard value.contains(where: Self.special.contains) else {
                return value
            }
            return "\"\(value.replacing("\"", with: "\"\""))\""
        }
    }
}

/// An output that is a line of a file of comma-separated values.
protocol CSVRow {
    static var headings: [String] { get }

    /// The values, in the order of the headings.
    var line: CSVLine { get }
    var json: JSONObject { get }
}

extension CSVRow {
    /// The first line of the file.
    static var heading: String {
        headings.joined(separator: ",")
    }
}

extension Console {
    /// Prints a row of comma-separated values, or its JSON object.
    func print(row: some CSVRow, asJSON: Bool) throws {
        try print(asJSON ? row.json.text() : row.line.text)
    }
}
