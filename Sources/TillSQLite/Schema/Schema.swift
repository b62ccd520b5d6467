import FoundationEssentials
import GRDB
import TillModel

/// The tables of a ledger, and how an older file is brought up to them.
enum Schema {
    /// Marks the file as a ledger of Till: `Till` in ASCII (https://www.sqlite.org/pragma.html#pragma_application_id).
    static let applicationID: Int32 = 0x5469_6C6C
    /// The newest version known, kept in `user_version`.
    static let version = Int32(statements.count)

    /// The first version whose pages have checksums: see `LedgerFile.addChecksums()`.
    static let checksums: Int32 = 6

    /// What each version changes, from the first.
    private static let statements = [
        version1, version2, version3, version4, version5, version6, version7, version8, version9, version10,
        version11, version12, version13,
    ]

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for (version, sql) in zip(1..., statements) {
            migrator.registerMigration("v\(version)") { database in
                try database.execute(sql: sql)
                switch version {
                case 1: try insertIdentity(into: database)
                case 8: try insertNumbering(into: database)
                case 10: try copyTransactions(in: database)
                default: break
                }
                try database.execute(sql: "PRAGMA user_version = \(version)")
            }
        }
        return migrator
    }

    /// Marks the file as a ledger, with an identity of its own.
    private static func insertIdentity(into database: Database) throws {
        try database.execute(
            sql: "INSERT INTO meta (only, ledger_id, clean) VALUES (1, ?, 1)",
            arguments: [Data(UUID.version7().bytes)]
        )
        try database.execute(sql: "PRAGMA application_id = \(applicationID)")
    }
}
