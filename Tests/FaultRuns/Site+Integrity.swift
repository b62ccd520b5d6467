import GRDB
package import ProcessTesting
import TillSQLite

extension Site {
    /// Runs SQLite's integrity check on the whole ledger. The result is `ok` for an intact one.
    package func integrity() async throws -> [String] {
        let database = try DatabaseQueue(path: ledger, configuration: .guardingPages)
        return try await database.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") }
    }
}
