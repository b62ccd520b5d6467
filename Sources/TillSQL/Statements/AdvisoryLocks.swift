/// PostgreSQL's advisory locks, by which daemons that share a ledger see what ends with the session of another
/// (https://www.postgresql.org/docs/15/view-pg-locks.html).
package enum AdvisoryLocks {
    /// The end of a query, from `FROM` on: a row `l` for each session that holds the ledger's lock of this class and name.
    ///
    /// - Parameter name: An expression in SQL.
    package static func holders(ofClass lockClass: Int, name: String) -> String {
        """
        FROM pg_catalog.pg_locks l JOIN pg_catalog.pg_database d ON d.oid = l.database
        WHERE d.datname = current_database() AND l.locktype = 'advisory' AND l.granted
            AND CAST(l.classid AS bigint) = \(lockClass)
            AND CAST(l.objid AS bigint) = CAST(hashtext(current_schema() || '/' || \(name)) AS bigint) & 4294967295
        """
    }
}
