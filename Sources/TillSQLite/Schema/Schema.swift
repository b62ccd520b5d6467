import FoundationEssentials
import GRDB
import TillModel

/// The tables of a ledger, and how an older file is brought up to them.
enum Schema {
    /// Marks the file as a ledger of Till: `Till` in ASCII (https://www.sqlite.org/pragma.html#pragma_application_id).
    static let applicationID: Int32 = 0x5469_6C6C
    /// The newest version known, kept in `user_version`.
    static let version: Int32 = 9

    /// The first version whose pages have checksums: see `LedgerFile.addChecksums()`.
    static let checksums: Int32 = 6

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("v1") { database in
            try database.execute(sql: version1)
            try database.execute(
                sql: "INSERT INTO meta (only, ledger_id, clean) VALUES (1, ?, 1)",
                arguments: [Data(UUID.version7().bytes)]
            )
            try database.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = 1")
        }
        migrator.registerMigration("v2") { database in
            try database.execute(sql: version2)
            try database.execute(sql: "PRAGMA user_version = 2")
        }
        migrator.registerMigration("v3") { database in
            try database.execute(sql: version3)
            try database.execute(sql: "PRAGMA user_version = 3")
        }
        migrator.registerMigration("v4") { database in
            try database.execute(sql: version4)
            try database.execute(sql: "PRAGMA user_version = 4")
        }
        migrator.registerMigration("v5") { database in
            try database.execute(sql: version5)
            try database.execute(sql: "PRAGMA user_version = 5")
        }
        migrator.registerMigration("v6") { database in
            try database.execute(sql: version6)
            try database.execute(sql: "PRAGMA user_version = 6")
        }
        migrator.registerMigration("v7") { database in
            try database.execute(sql: version7)
            try database.execute(sql: "PRAGMA user_version = 7")
        }
        migrator.registerMigration("v8") { database in
            try database.execute(sql: version8)
            try insertNumbering(into: database)
            try database.execute(sql: "PRAGMA user_version = 8")
        }
        migrator.registerMigration("v9") { database in
            try database.execute(sql: version9)
            try database.execute(sql: "PRAGMA user_version = 9")
        }
        return migrator
    }
}
