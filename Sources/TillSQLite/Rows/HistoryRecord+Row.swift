import TillEngine

extension HistoryRecord {
    static let selection = "SELECT key, transaction_key, date, kind, actor, detail FROM history"

    init(_ columns: inout Columns) throws {
        columns.skip(1)
        self.init(
            transactionKey: try columns.integer(),
            date: try columns.date(),
            kind: try columns.value(Kind.self),
            actor: try columns.text(),
            detail: try columns.text()
        )
    }

    /// The values of the columns from `transaction_key` on.
    var values: [SQLValue] {
        [SQLValue(transactionKey), SQLValue(date), SQLValue(kind.rawValue), SQLValue(actor), SQLValue(detail)]
    }
}
