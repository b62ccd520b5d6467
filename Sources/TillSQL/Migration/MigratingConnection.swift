package import FoundationEssentials
import TillModel

/// A connection to a ledger's database that also describes its tables, so that a migration can copy whatever they hold.
package protocol MigratingConnection: SQLConnection {
    /// The tables but ``LedgerTable/identity``, ordered so that rows refer only to rows of earlier tables.
    func ledgerTables() throws -> [LedgerTable]

    /// Inserts rows into the table.
    ///
    /// - Parameter body: Calls its parameter with the values of each row, in the order of the table's columns.
    /// - Throws: The errors of `body`, and those of the database about a row that it does not take.
    func insertRows(into table: LedgerTable, _ body: (_ insert: ([SQLValue]) throws -> Void) throws -> Void) throws

    /// Removes all rows of the tables.
    func removeRows(of tables: [LedgerTable]) throws

    /// The last key that the database gave to a row, by the table's name; only of tables whose keys it gives.
    func lastKeys() throws -> [String: Int64]

    /// Makes new rows of the table get keys after this one, if the database gives them and remembers the last.
    func continueKeys(of table: String, after key: Int64) throws

    /// The version of the ledger's schema, or what stands in its place while the ledger has a mark.
    func schemaVersion() throws -> Int64
    func setSchemaVersion(_ version: Int64) throws
}

extension MigratingConnection {
    /// The ledger's identity.
    ///
    /// - Throws: `dataLoss` for a ledger without one.
    package func identity() throws -> UUID {
        let rows = SQLTransaction(self)
        let found = try rows.rows(of: "meta", "SELECT ledger_id FROM meta", []) { try $0.uuid("ledger_id", nil) }
        guard let id = found.first else {
            throw TillError(.dataLoss, "The ledger has lost its identity. Restore it from a backup.")
        }
        return id
    }

    func setIdentity(_ id: UUID) throws {
        try SQLTransaction(self).run("UPDATE meta SET ledger_id = ?1, clean = 1", [SQLValue(id)])
    }
}
