package import FoundationEssentials
import TillModel
import TillSQL

extension PostgresLedger {
    /// Begins a timeline of a ledger that was restored from an older copy of the database (``SQLTransaction/beginTimeline()``).
    /// Blocks on the database.
    ///
    /// - Returns: The ledger's identity.
    /// - Throws: `unavailable` without a connection, `notFound` without a ledger, `failedPrecondition` while a daemon uses it, for
    ///   a ledger of another version, for one that was moved, and for a role that may not use it. Then nothing has changed.
    package static func beginTimeline(_ address: PostgresAddress, schema: String = defaultSchema) throws -> UUID {
        let connection = try PostgresConnection(to: address.text, schema: schema)
        try connection.checkServer()
        try connection.lockLedger(schema)
        try PostgresSchema.requireLedger(schema, at: address.text, connection)
        return try connection.inTransaction("BEGIN") {
            try SQLTransaction(connection).beginTimeline()
            return try connection.identity()
        }
    }
}
