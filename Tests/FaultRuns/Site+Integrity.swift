import GRDB
package import ProcessTesting
import TillSQLite

extension Site {
    /// What SQLite says of the whole ledger: `ok`.
    package func integrity() async throws -> [String] {
        let database = try DatabaseQueue(path: ledger, configuration: .guardingPages)
        return try await database.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") }
    }
}
