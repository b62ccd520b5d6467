import TillEngine
import TillModel

/// Agents at the daemons that share a ledger in PostgreSQL. The session that commits holds an advisory lock for each account with an
/// agent, so that no daemon that has ended is taken for one that can ask a user.
package enum SharedAgents {
    /// Sets these locks apart from those of other kinds.
    package static let lockClass = 0x4167_6E74
    /// Accounts of one daemon that the others know of: locks take memory of the server.
    package static let accountsMaximum = 256
}

extension SQLTransaction {
    package func isAgentElsewhere(account: String) throws -> Bool {
        guard dialect == .postgresql else {
            return false
        }
        let holders = AdvisoryLocks.holders(ofClass: SharedAgents.lockClass, name: "?1")
        let sql = "SELECT count(*) \(holders) AND l.pid <> pg_backend_pid()"
        let found = try rows(of: "pg_locks", sql, [SQLValue(account)]) { try $0.integer() }
        return found.contains { $0 > 0 }
    }
}
