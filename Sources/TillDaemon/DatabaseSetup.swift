package import FoundationEssentials
package import TillModel
import TillPostgres

/// Prepares a database for a daemon: a new one, or one that was restored from an older copy.
package enum DatabaseSetup {
    /// Makes the tables as their owner, and grants the daemon's role and those of applications what they need.
    ///
    /// - Parameters:
    ///   - address: A connection URI, as of the configuration's key `ledger`.
    ///   - daemonRole: The role of the daemon; nil if the owner's is also the daemon's.
    ///   - applicationRoles: The roles that may finish transactions of applications, each as `ROLE=APPLICATION`.
    ///   - printsSQL: Whether to return the SQL instead of running it.
    /// - Returns: Lines that say what was made and what is in place, or the SQL.
    /// - Throws: `invalidArgument` for an address or a name that cannot be used, `unavailable` without a connection;
    ///   `failedPrecondition` or `permissionDenied` if the database cannot be prepared, after which nothing has changed.
    package static func run(
        address: String,
        daemonRole: String?,
        applicationRoles: [String],
        printsSQL: Bool
    ) throws(TillError) -> [String] {
        let address = try PostgresAddress(address)
        return try explained {
            let roles = try applicationRoles.map { text throws(TillError) in try ApplicationRole(text) }
            let setup = try LedgerSetup(address: address, daemonRole: daemonRole, applicationRoles: roles)
            guard !printsSQL else {
                let script = setup.script(try setup.steps())
                return script.isEmpty ? [] : [script]
            }
            return try setup.run().map { step in
                "\(step.statements.isEmpty ? "in place" : "made"): \(step.title)"
            }
        }
    }

    /// Begins a timeline of a ledger in a restored database.
    ///
    /// - Parameter address: A connection URI, as of the configuration's key `ledger`.
    /// - Returns: The ledger's identity.
    /// - Throws: `invalidArgument` for an address that cannot be used; otherwise as `PostgresLedger.beginTimeline`.
    package static func beginTimeline(address: String) throws(TillError) -> UUID {
        let address = try PostgresAddress(address)
        return try explained { try PostgresLedger.beginTimeline(address) }
    }

    private static func explained<Value>(_ work: () throws -> Value) throws(TillError) -> Value {
        do {
            return try work()
        } catch {
            throw error as? TillError ?? TillError(.unavailable, "\(error)")
        }
    }
}
