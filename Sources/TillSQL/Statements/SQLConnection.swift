/// A connection to a database, within one of its transactions.
package protocol SQLConnection: AnyObject {
    var dialect: SQLDialect { get }

    /// Runs a statement, and gives its rows to `body`, one after the other.
    ///
    /// - Parameters:
    ///   - sql: Has a parameter `?1`, `?2` and so on for each of the values.
    ///   - body: The row is valid until it returns.
    /// - Returns: How many rows the statement changed.
    /// - Throws: `alreadyExists` or `notFound` for a row that breaks a constraint, and the database's own errors.
    @discardableResult
    func run(_ sql: String, _ values: [SQLValue], _ body: (any SQLRow) throws -> Void) throws -> Int

    /// Runs a query before the next statement that has an answer, at the latest in ``finishReads()``. It gives its rows to
    /// `body`, and throws, only there.
    func readLater(_ sql: String, _ values: [SQLValue], _ body: @escaping (any SQLRow) throws -> Void) throws

    /// Ends the queries that wait, in one round trip.
    func finishReads() throws

    /// Writes rows. A connection may wait with that for the next statement that has an answer, at the latest the end of the
    /// transaction, and throws there what this would throw.
    ///
    /// - Parameter values: Those for the statement's columns, one row after the other.
    /// - Throws: As ``run(_:_:_:)``.
    func write(_ values: [SQLValue], with statement: RowStatement) throws
}

extension SQLConnection {
    package func readLater(_ sql: String, _ values: [SQLValue], _ body: @escaping (any SQLRow) throws -> Void) throws {
        try run(sql, values, body)
    }

    package func finishReads() {}
}

/// A row that a query gives, with columns from 0 on.
package protocol SQLRow: AnyObject {
    func kind(ofColumn index: Int) -> SQLColumnKind
    /// For a column of integers.
    func integer(ofColumn index: Int) -> Int64
    /// For a column of text; nil if it is not in UTF-8.
    func text(ofColumn index: Int) -> String?
    /// For a column of bytes.
    func bytes(ofColumn index: Int) -> [UInt8]
    func name(ofColumn index: Int) -> String
}

/// What a column of a row holds.
package enum SQLColumnKind: Sendable {
    case null
    case integer
    case text
    case bytes
    /// Nothing that a ledger stores.
    case other
}

/// What databases write in ways of their own.
package enum SQLDialect: Sendable {
    case sqlite
    case postgresql

    /// Names the index that a query is to use, where the database would choose a worse one.
    func indexed(by index: String) -> String {
        switch self {
        case .sqlite: "INDEXED BY \(index)"
        case .postgresql: ""
        }
    }

    /// The sum of an expression, at most the greatest integer.
    func boundedSum(of expression: String) -> String {
        switch self {
        // `sum` would fail if the sum did not fit an integer.
        case .sqlite: "CAST(total(\(expression)) AS INTEGER)"
        case .postgresql: "CAST(least(coalesce(sum(\(expression)), 0), \(Int64.max)) AS BIGINT)"
        }
    }
}
