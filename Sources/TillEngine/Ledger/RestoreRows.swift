package import FoundationEssentials

package protocol RestoreReader {
    func restore(_ id: UUID) throws -> RestoreRecord?
    /// The restore of the queue that is under way for the same username.
    func runningRestore(in queue: Int64, applicationUsername: String?) throws -> RestoreRecord?
    /// Restores under way in all queues, the oldest first.
    func runningRestores(limit: Int) throws -> [RestoreRecord]
}

package protocol RestoreWriter {
    func insert(_ restore: RestoreRecord) throws
    /// Replaces what may change of a restore: state, cursor, count, error, deadline.
    func update(_ restore: RestoreRecord) throws
}
