import FoundationEssentials
import GRDB
import TillSQLite

/// Changes a ledger's file behind the ledger's back, as damage does.
func edit(_ path: String, _ sql: String) throws {
    let queue = try DatabaseQueue(path: path, configuration: .guardingPages)
    try queue.inDatabase { database in
        try database.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
        try database.execute(sql: sql)
    }
    try queue.close()
}

/// Whether the ledger is marked as stopped cleanly.
func isMarkedClean(_ path: String) throws -> Bool? {
    let queue = try DatabaseQueue(path: path, configuration: .guardingPages)
    let isClean = try queue.read { try Bool.fetchOne($0, sql: "SELECT clean FROM meta") }
    try queue.close()
    return isClean
}
