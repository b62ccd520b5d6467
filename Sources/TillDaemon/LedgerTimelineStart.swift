package import FoundationEssentials
import TillPostgres

/// Begins a timeline of a ledger in a database that was restored from an older copy.
package enum LedgerTimelineStart {
    /// - Parameter address: A connection URI, as of the configuration's key `ledger`.
    /// - Returns: The ledger's identity.
    /// - Throws: `invalidArgument` for an address that cannot be used; otherwise as `PostgresLedger.beginTimeline`.
    package static func run(address: String) throws -> UUID {
        try PostgresLedger.beginTimeline(try PostgresAddress(address))
    }
}
