/// Rows under headings, each column as wide as its widest cell.
struct Table {
    static let gap = "  "

    let headings: [String]
    var rows: [[String]] = []

    /// The headings and the rows, without spaces at the ends of lines.
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
