import GRDB
import TillEngine
import TillModel

extension SQLiteTransaction {
    /// The numberings of the ledger's identifiers.
    ///
    /// - Throws: `dataLoss` when they are not as they were written.
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
