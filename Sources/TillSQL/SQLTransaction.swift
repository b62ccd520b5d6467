import FoundationEssentials
import Logging
import TillEngine
import TillModel

/// One transaction of a ledger in a database, on the connection that runs it: its rows and queries are the same in all.
package final class SQLTransaction: LedgerWriter {
    private let connection: any SQLConnection
    let highestKey: HighestKey
    var receiptHeaders: ReceiptHeaders
    /// What was read or changed, and is not read again.
    var known: KnownRows
    /// Finishes that applications see in the database; nil if no application may finish there.
    var finishes: SharedFinishes?
    /// This daemon's name among those that share the ledger; nil if it has the ledger alone.
    let host: String?
    private let logger: Logger?

    init(
        _ connection: any SQLConnection,
        highestKey: HighestKey,
        receiptHeaders: ReceiptHeaders = ReceiptHeaders(),
        known: KnownRows = KnownRows(),
        finishes: SharedFinishes? = nil,
        host: String? = nil,
        logger: Logger? = nil
    ) {
        self.connection = connection
        self.highestKey = highestKey
        self.receiptHeaders = receiptHeaders
        self.known = known
        self.finishes = finishes
        self.host = host
        self.logger = logger
    }

    /// A transaction that is not a ledger's own, so that it knows nothing from the last one.
    package convenience init(_ connection: any SQLConnection) {
        self.init(connection, highestKey: HighestKey())
    }

    var dialect: SQLDialect {
        connection.dialect
    }

    /// The keys of the queues that it has changed.
    package var changedQueues: Set<Int64> {
        known.queues.changed
    }

    /// Whether it has changed settings that operators set.
    package var changesOperatorSettings: Bool {
        known.changesOperatorSettings
    }

    /// Writes the changes that are kept until the end of the transaction: once, instead of for each command.
    package func finish() throws {
        try writeTransactions()
        try writeQueues()
        try writeFinishes()
    }

    /// Gives the rows of a query on `table` to `read` once ``finishReads()`` is called: those of several in one round trip.
    func readLater(
        of table: String,
        _ sql: String,
        _ values: [SQLValue],
        read: @escaping (inout Columns) throws -> Void
    ) throws {
        try connection.readLater(sql, values) { row in
            var columns = Columns(row, of: table)
            try read(&columns)
        }
    }

    func finishReads() throws {
        try connection.finishReads()
    }

    /// Runs a statement that gives no rows, and returns how many rows it changed.
    @discardableResult
    package func run(_ sql: String, _ values: [SQLValue]) throws -> Int {
        try connection.run(sql, values) { _ in }
    }

    /// Writes rows with values for the statement's columns, one row after the other.
    package func write(_ values: [SQLValue], with statement: RowStatement) throws {
        if !values.isEmpty {
            try connection.write(values, with: statement)
        }
    }

    /// The rows of a query on `table`, each as `read` makes it of its columns, the first of which is the row's key.
    ///
    /// - Parameter skipsUnreadable: Whether rows that cannot be read are logged and left out: among the due rows of all
    ///   queues, one must not hold up the others.
    package func rows<Value>(
        of table: String,
        _ sql: String,
        _ values: [SQLValue],
        skipsUnreadable: Bool = false,
        read: (inout Columns) throws -> Value
    ) throws -> [Value] {
        var rows: [Value] = []
        try connection.run(sql, values) { row in
            var columns = Columns(row, of: table)
            do {
                rows.append(try read(&columns))
            } catch let error as TillError where error.code == .dataLoss && skipsUnreadable {
                logger?.error("A row of the ledger cannot be read", metadata: ["error": "\(error)"])
            }
        }
        return rows
    }
}

/// What the writer knows of the file's rows from one commit to the next.
struct KnownRows: Sendable {
    var queues = KnownQueues()
    var transactions = KnownTransactions()
    /// All settings; nil if they were not read.
    var settings: [String: String]?
    /// Whether the commit has changed settings that operators set.
    var changesOperatorSettings = false

    /// The rows, which the caller does not keep.
    mutating func take() -> KnownRows {
        defer { self = KnownRows() }
        return self
    }

    /// Ends a commit.
    mutating func settle() {
        queues.settle()
        transactions.settle()
        changesOperatorSettings = false
    }
}
