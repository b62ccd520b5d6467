import FoundationEssentials
import GRDB
import Logging
import TillEngine
import TillModel

/// One transaction of a ``SQLiteLedger``, on the connection that runs it.
final class SQLiteTransaction: LedgerWriter {
    let database: Database
    let highestKey: HighestKey
    var receiptHeaders: ReceiptHeaders
    var known = KnownQueues()
    /// Transactions that were read or written by their key or identity, as the ledger holds them.
    var knownTransactions: [Int64: TransactionRecord] = [:]
    /// Charges that were read or written by their key, as the ledger holds them.
    var knownCharges: [Int64: ChargeRecord] = [:]
    var grownHistories: Set<GrownHistory> = []
    private let logger: Logger?

    init(
        database: Database,
        highestKey: HighestKey,
        receiptHeaders: ReceiptHeaders = ReceiptHeaders(),
        logger: Logger? = nil
    ) {
        self.database = database
        self.highestKey = highestKey
        self.receiptHeaders = receiptHeaders
        self.logger = logger
    }

    /// Writes the changes that are kept until the end of the transaction: once, instead of for each command.
    func finish() throws {
        try writeRevisions()
        try pruneHistories()
    }

    /// Runs a statement that gives no rows, and returns how many rows it changed.
    @discardableResult
    func run(_ sql: String, _ values: [SQLValue]) throws -> Int {
        let statement = BoundStatement(try database.cachedStatement(sql: sql))
        try statement.bind(values)
        while try statement.step() {}
        return database.changesCount
    }

    /// The rows of a query on `table`, each as `read` makes it of its columns, the first of which is the row's key.
    ///
    /// - Parameter skipsUnreadable: Whether rows that cannot be read are logged and left out: among the due rows of all
    ///   queues, one must not hold up the others.
    func rows<Value>(
        of table: String,
        _ sql: String,
        _ values: [SQLValue],
        skipsUnreadable: Bool = false,
        read: (inout Columns) throws -> Value
    ) throws -> [Value] {
        let statement = BoundStatement(try database.cachedStatement(sql: sql))
        try statement.bind(values)
        var rows: [Value] = []
        while try statement.step() {
            var columns = statement.columns(of: table)
            do {
                rows.append(try read(&columns))
            } catch let error as TillError where error.code == .dataLoss && skipsUnreadable {
                logger?.error("A row of the ledger cannot be read", metadata: ["error": "\(error)"])
            }
        }
        return rows
    }

    /// Runs an insertion into a table with a key of the ledger's, and returns the new row's key.
    func insert(_ sql: String, _ values: [SQLValue]) throws -> Int64 {
        try run(sql, values)
        return database.lastInsertedRowID
    }

    /// Writes the columns whose values differ from the row's. SQLite removes an entry from every index that a written
    /// column belongs to and inserts it again, even if the value is the same.
    ///
    /// - Parameters:
    ///   - columns: Their names, in the order of the values.
    ///   - before: The row's values; nil to write all columns.
    func update(
        _ table: String,
        key: Int64,
        _ columns: [String],
        from before: [SQLValue]?,
        to values: [SQLValue],
        orThrow message: @autoclosure () -> String
    ) throws {
        let changed = values.indices.filter { before?[$0] != values[$0] }
        guard !changed.isEmpty else {
            return
        }
        let assignments = changed.enumerated().map { "\(columns[$0.element]) = ?\($0.offset + 2)" }
        let sql = "UPDATE \(table) SET \(assignments.joined(separator: ", ")) WHERE key = ?1"
        try change(sql, [SQLValue(key)] + changed.map { values[$0] }, orThrow: message())
    }

    /// Runs an update by key.
    func change(_ sql: String, _ values: [SQLValue], orThrow message: @autoclosure () -> String) throws {
        guard try run(sql, values) == 1 else {
            throw TillError(.notFound, message())
        }
    }
}
