package import FoundationEssentials

package protocol RestoreReader {
    /// The restore with this identity, or the one that the call with this identity joined.
    func restore(_ id: UUID) throws -> RestoreRecord?
    /// The restore of the queue that is under way for the same username and has brought nothing yet.
    func joinableRestore(in queue: Int64, applicationUsername: String?) throws -> RestoreRecord?
    /// Restores under way in all queues, the oldest first.
    func runningRestores(limit: Int) throws -> [RestoreRecord]
}

package protocol RestoreWriter {
    func insert(_ restore: RestoreRecord) throws
    /// Has a new identity stand for a restore that the ledger has: the call with this identity joined that one.
    func insert(joined id: UUID, to restore: UUID) throws
    /// Replaces what may change of a restore: state, cursor, count, error, deadline.
    func update(_ restore: RestoreRecord) throws
}
