import TillModel

/// One of many alike, printed in a table.
protocol TableRow: OutputLine {
    static var headings: [String] { get }

    /// What stands under the headings.
    var columns: [String] { get }
}

extension TableRow {
    var text: String {
        columns.joined(separator: Table.gap)
    }
}

extension Console {
    /// Prints a table, or nothing when it has no rows; as JSON, one object a row.
    func print<Row: TableRow>(table rows: [Row], asJSON: Bool) throws {
        guard !asJSON else {
            return try rows.forEach { try print($0, asJSON: true) }
        }
        guard !rows.isEmpty else {
            return
        }
        try Table(headings: Row.headings, rows: rows.map(\.columns)).lines.forEach(print)
    }

    /// Prints a table of all that a list has; as JSON, each as it comes.
    func print<Element, Row: TableRow>(
        table list: some AsyncSequence<Element, TillError>,
        asJSON: Bool,
        _ row: (Element) -> Row
    ) async throws {
        var rows: [Row] = []
        for try await element in list {
            if asJSON {
                try print(row(element), asJSON: true)
            } else {
                rows.append(row(element))
            }
        }
        try print(table: rows, asJSON: false)
    }
}
