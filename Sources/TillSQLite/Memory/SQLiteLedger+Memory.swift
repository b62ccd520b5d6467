import FoundationEssentials
import GRDB
import TillEngine
import TillModel
import TillSQL

/// Ledgers in the process's memory: for tests, and for stores that need not be kept. They have the tables and run the
/// statements of a file, but on one connection, so a read waits for a commit. They have no log and no checksums.
extension SQLiteLedger {
    /// The tables without rows. New ledgers are copies of it, because making the tables takes much longer.
    private static let empty = Result {
        let queue = try makeDatabase()
        try Schema.migrator.migrate(queue)
        return queue
    }

    /// Creates an empty ledger, which lasts as long as this object.
    package static func inMemory() throws -> SQLiteLedger {
        let database = try copy(of: empty.get())
        let (id, numbering) = try database.write { database in
            try database.execute(sql: "DELETE FROM identifier_ranges")
            try Schema.insertNumbering(into: database)
            let numbering = try SQLTransaction(database: database).numbering()
            return (try renewIdentity(in: database), numbering)
        }
        return SQLiteLedger(id: id, numbering: numbering, connections: .memory(database))
    }

    /// A copy in memory without these transactions and what followed from them: restored transactions, renewals, charges,
    /// refunds, downloads and histories. Settings and the audit log stay, and no key is given again.
    ///
    /// Cursors of this ledger are not valid in the copy.
    package func copy(removing keys: Set<Int64>) throws -> SQLiteLedger {
        let database = try Self.copy(of: connections.writer)
        let id = try database.write { database in
            try SQLTransaction(database: database).remove(keys)
            return try Self.renewIdentity(in: database)
        }
        return SQLiteLedger(id: id, numbering: numbering, connections: .memory(database), highestKey: memory.highestKey)
    }

    private static func makeDatabase() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "till.ledger.memory"
        return try DatabaseQueue(configuration: configuration)
    }

    private static func copy(of original: any DatabaseReader) throws -> DatabaseQueue {
        let copy = try makeDatabase()
        try original.backup(to: copy)
        return copy
    }

    private static func renewIdentity(in database: Database) throws -> UUID {
        let id = UUID.version7()
        try database.execute(sql: "UPDATE meta SET ledger_id = ?", arguments: [Data(id.bytes)])
        return id
    }
}
