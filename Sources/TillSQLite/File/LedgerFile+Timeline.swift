package import FoundationEssentials
import GRDB
import TillModel
import TillSQL

extension SQLiteLedger {
    /// Begins a timeline of a ledger that was restored from a backup and that no process uses. An older schema is brought
    /// up to the newest.
    ///
    /// Clients may have seen changes that the backup does not have: their cursors are not valid in the new timeline, and
    /// transactions that are added to it get identifiers that the old one never issued.
    ///
    /// - Returns: The ledger's identity.
    package static func beginTimeline(path: String) throws -> UUID {
        let file = LedgerFile(path: path)
        let id = try file.inspect()
        let pool = try file.openForWriting()
        try file.explained {
            try pool.write(file.beginTimeline)
            _ = try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
            try pool.close()
        }
        return id
    }
}

extension LedgerFile {
    fileprivate func beginTimeline(_ database: Database) throws {
        try SQLTransaction(database: database).beginTimeline()
        try database.execute(sql: "UPDATE meta SET clean = 1")
    }
}
