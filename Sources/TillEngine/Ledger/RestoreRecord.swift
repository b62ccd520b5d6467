package import FoundationEssentials
package import TillModel

/// A restore as the ledger keeps it: a job that survives the daemon and ends exactly once.
package struct RestoreRecord: Hashable, Sendable {
    package var id: UUID
    package var queue: Int64
    /// Restricts the restore to purchases made with this username.
    package var applicationUsername: String?
    package var state: RestoreState
    /// The queue's revision when it began: what it restores comes after.
    package var revision: UInt64
    /// The key of the last original that was restored.
    package var cursor: Int64
    package var count: Int
    package var createdAt: Date
    /// When it fails at the latest.
    package var deadline: Date

    package init(
        id: UUID,
        queue: Int64,
        applicationUsername: String?,
        state: RestoreState = .running,
        revision: UInt64,
        cursor: Int64 = 0,
        count: Int = 0,
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
        self.createdAt = createdAt
        self.deadline = deadline
    }
}

/// An entry of a queue's change log that is not a transaction's.
package struct EventRecord: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case restoreFinished(id: UUID, count: Int)
        case restoreFailed(id: UUID, error: PaymentError)
    }

    package var queue: Int64
    package var revision: UInt64
    package var kind: Kind

    package init(queue: Int64, revision: UInt64, kind: Kind) {
        self.queue = queue
        self.revision = revision
        self.kind = kind
    }

    /// The event as observers see it.
    package var event: QueueEvent {
        switch kind {
        case .restoreFinished(let id, let count): .restoreFinished(id: id, count: count)
        case .restoreFailed(let id, let error): .restoreFailed(id: id, error: error)
        }
    }
}
