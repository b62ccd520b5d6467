import GRDB
import Logging
import TillSQL

/// A connection to the file, within a transaction that GRDB began.
final class SQLiteConnection: SQLConnection {
    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    var dialect: SQLDialect {
        .sqlite
    }

    @discardableResult
    func run(_ sql: String, _ values: [SQLValue], _ body: (any SQLRow) throws -> Void) throws -> Int {
        let statement = BoundStatement(try database.cachedStatement(sql: sql))
        try statement.bind(values[...])
        while try statement.step() {
            try body(statement.row)
        }
        return database.changesCount
    }

    func write(_ values: [SQLValue], with statement: RowStatement) throws {
        let prepared = try database.cachedStatement(sql: statement.sql)
        let count = statement.columns.count
        for start in stride(from: 0, to: values.count, by: count) {
            let statement = BoundStatement(prepared)
            try statement.bind(values[start..<start + count])
            _ = try statement.step()
        }
    }
}

extension SQLTransaction {
    /// A transaction that is not the ledger's own, so that it knows nothing from the last one.
    convenience init(database: Database) {
        self.init(SQLiteConnection(database))
    }
}
