package import FoundationEssentials
package import TillModel

/// A restore as the ledger keeps it: a job that survives the daemon and ends exactly once.
package struct RestoreRecord: Hashable, Sendable {
    package var id: UUID
    package var queue: Int64
    /// Restricts the restore to purchases made with this username.
    package var applicationUsername: String?
    package var state: RestoreState
    /// The queue's revision when it began: restored transactions come after it.
    package var revision: UInt64
    /// The key of the last original that was restored.
    package var cursor: Int64
    package var count: Int
    /// How many purchases were to be restored when it began.
    package var total: Int
    /// Present when it failed.
    package var error: PaymentError?
    package var createdAt: Date
    /// When it fails unless another page is restored before; each page moves it.
    package var deadline: Date

    package init(
        id: UUID,
        queue: Int64,
        applicationUsername: String?,
        state: RestoreState = .running,
        revision: UInt64,
        cursor: Int64 = 0,
        count: Int = 0,
        total: Int = 0,
        error: PaymentError? = nil,
        createdAt: Date,
        deadline: Date
    ) {
        self.id = id
        self.queue = queue
        self.applicationUsername = applicationUsername
        self.state = state
        self.revision = revision
        self.cursor = cursor
        self.count = count
        self.total = total
        self.error = error
        self.createdAt = createdAt
        self.deadline = deadline
    }
}

package protocol RestoreReader {
    /// The restore with this identity, or the restore that the call with this identity joined.
    func restore(_ id: UUID) throws -> RestoreRecord?
    /// The queue's restore for the same username that is under way and has restored nothing yet.
    func joinableRestore(in queue: Int64, applicationUsername: String?) throws -> RestoreRecord?
    /// Restores under way in all queues, the oldest first.
    func runningRestores(limit: Int) throws -> [RestoreRecord]
}

package protocol RestoreWriter {
    func insert(_ restore: RestoreRecord) throws
    /// Makes a new identity another name of an existing restore: the call with this identity joined that restore.
    func insert(joined id: UUID, to restore: UUID) throws
    /// Replaces the columns that may change: state, cursor, count, error, deadline.
    func update(_ restore: RestoreRecord) throws
}
