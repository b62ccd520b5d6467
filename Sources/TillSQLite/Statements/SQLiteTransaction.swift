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
    /// What was read or changed, and is not read again.
    var known: KnownRows
    private let logger: Logger?

    init(
        database: Database,
        highestKey: HighestKey,
        receiptHeaders: ReceiptHeaders = ReceiptHeaders(),
        known: KnownRows = KnownRows(),
        logger: Logger? = nil
    ) {
        self.database = database
        self.highestKey = highestKey
        self.receiptHeaders = receiptHeaders
        self.known = known
        self.logger = logger
    }

    /// Writes the changes that are kept until the end of the transaction: once, instead of for each command.
    func finish() throws {
        try writeTransactions()
        try writeQueues()
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
}

/// What the writer knows of the file's rows from one commit to the next.
struct KnownRows {
    var queues = KnownQueues()
    var transactions = KnownTransactions()

    /// The rows, which the caller does not keep.
    mutating func take() -> KnownRows {
        defer { self = KnownRows() }
        return self
    }

    /// Ends a commit.
    mutating func settle() {
        queues.settle()
        transactions.settle()
    }
}
