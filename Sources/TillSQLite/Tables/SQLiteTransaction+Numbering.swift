import GRDB
import NIOConcurrencyHelpers
import TillEngine
import TillModel

extension SQLiteTransaction {
    /// The numberings of the ledger's identifiers.
    ///
    /// - Throws: `dataLoss` when their rows are damaged.
    func numbering() throws -> LedgerNumbering {
        LedgerNumbering(transactions: try numbering(of: .transactions), applications: try numbering(of: .applications))
    }

    private func numbering(of kind: NumberedKind) throws -> IdentifierNumbering {
        let ranges = try rows(
            of: "identifier_ranges",
            "SELECT key, first_key, base FROM identifier_ranges WHERE kind = ?1 ORDER BY first_key",
            [SQLValue(kind.rawValue)]
        ) { columns in
            _ = try columns.integer()
            return IdentifierNumbering.Range(firstKey: try columns.integer(), base: try columns.integer())
        }
        guard let numbering = IdentifierNumbering(ranges: ranges) else {
            throw TillError(
                .dataLoss,
                "The ledger's table identifier_ranges does not number the \(kind). Restore the ledger from a backup."
            )
        }
        return numbering
    }
}

extension LedgerFile {
    /// The numberings of the ledger's identifiers, of a file that has the newest schema.
    func numbering(_ database: Database) throws -> LedgerNumbering {
        try SQLiteTransaction(database: database, highestKey: HighestKey()).numbering()
    }
}

/// The highest key that a transaction was given, so that no key is given twice, not even after a rollback.
final class HighestKey: Sendable {
    /// Nil until it was read from the ledger.
    private let key = NIOLockedValueBox<Int64?>(nil)

    /// The next key.
    ///
    /// - Parameter stored: Gives the highest key that the ledger has seen; called for the first key of the process.
    func next(after stored: () throws -> Int64) throws -> Int64 {
        try key.withLockedValue { key in
            let highest = try key ?? stored()
            guard highest < Int64.max else {
                throw TillError(.dataLoss, "The ledger has a transaction with the highest key that there is.")
            }
            key = highest + 1
            return highest + 1
        }
    }
}
