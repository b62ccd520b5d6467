import TillOutput

/// An output that is a row of a table if there are several.
protocol TableRow: OutputLine {
    static var headings: [String] { get }

    /// The cells, in the order of the headings.
    var columns: [String] { get }
}

extension TableRow {
    var text: String {
        columns.joined(separator: Table.gap)
    }
}

/// The named values in a line of text, such as `id=17 state=open`. A name without a value is left out.
struct Details: ExpressibleByDictionaryLiteral {
    private var pairs: [(name: String, value: String)]

    init(dictionaryLiteral details: (String, String?)...) {
        pairs = details.compactMap { name, value in value.map { (name, $0) } }
    }

    var text: String {
        pairs.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
    }

    static func + (first: Details, second: Details?) -> Details {
        var both = first
        both.pairs += second?.pairs ?? []
        return both
    }
}

/// Rows under headings. Each column is as wide as its widest cell.
struct Table {
    static let gap = "  "

    let headings: [String]
    var rows: [[String]] = []

    /// The headings and the rows, without trailing spaces.
    var lines: [String] {
        let cells = [headings] + rows.map { $0.map(\.printable) }
        let widths = headings.indices.map { column in
            cells.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
        }
        return cells.map { Self.line($0, widths) }
    }

    private static func line(_ cells: [String], _ widths: [Int]) -> String {
        let padded = zip(cells, widths).map { cell, width in
            cell + String(repeating: " ", count: max(0, width - cell.count))
        }
        let line = padded.joined(separator: gap)
        return String(line.reversed().drop { $0 == " " }.reversed())
    }
}
