import GRDB
import TillEngine
import TillModel

extension SQLiteTransaction: TransactionWriter {
    func newTransactionKey() throws -> Int64 {
        try highestKey.next {
            try rows(of: "sqlite_sequence", "SELECT seq FROM sqlite_sequence WHERE name = 'transactions'", []) {
                columns in
                try columns.integer()
            }.first ?? 0
        }
    }

    func insert(_ transaction: TransactionRecord) throws -> Int64 {
        var inserted = transaction
        inserted.key = transaction.key == 0 ? try newTransactionKey() : transaction.key
        let values = [SQLValue(inserted.key)] + transaction.fixedValues + (try changingValues(of: transaction))
        try run(Self.insertTransaction, values)
        knownTransactions[inserted.key] = inserted
        return inserted.key
    }

    func update(_ transaction: TransactionRecord) throws {
        try update(
            "transactions",
            key: transaction.key,
            TransactionRecord.changingColumns,
            from: knownTransactions[transaction.key].map(changingValues(of:)),
            to: changingValues(of: transaction),
            orThrow: "The ledger has no transaction \(transaction.key)."
        )
        knownTransactions[transaction.key] = transaction
    }

    private func changingValues(of transaction: TransactionRecord) throws -> [SQLValue] {
        let headerKey = try transaction.receipt.map { try receiptHeaderKey(of: $0.header) }
        return transaction.changingValues(receiptHeaderKey: headerKey)
    }

    private static let insertTransaction: String = {
        let columns = ["key"] + TransactionRecord.fixedColumns + TransactionRecord.changingColumns
        let parameters = (1...columns.count).map { "?\($0)" }
        return """
            INSERT INTO transactions (\(columns.joined(separator: ", ")))
            VALUES (\(parameters.joined(separator: ", ")))
            """
    }()
}
