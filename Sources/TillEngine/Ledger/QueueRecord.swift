package import FoundationEssentials
package import TillModel

/// Names a queue: one application on behalf of one account.
package struct QueueName: Hashable, Sendable {
    /// The bundle identifier.
    package var application: String
    /// For example `uid:1000`.
    package var account: String

    package init(application: String, account: String) {
        self.application = application
        self.account = account
    }
}

/// A queue as the ledger keeps it.
package struct QueueRecord: Hashable, Sendable {
    package var key: Int64
    package var name: QueueName
    /// The number of the queue's last change.
    package var revision: UInt64
    /// Changes up to here may be gone from the log; a cursor below it needs a new initial delivery.
    package var floor: UInt64
    /// When its first transaction was added; nil while it has none.
    package var beganAt: Date?

    package init(key: Int64, name: QueueName, revision: UInt64 = 0, floor: UInt64 = 0, beganAt: Date? = nil) {
        self.key = key
        self.name = name
        self.revision = revision
        self.floor = floor
        self.beganAt = beganAt
    }
}

/// An entry of a queue's change log that is not a transaction's.
package struct EventRecord: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case restoreFinished(id: UUID, count: Int)
        case restoreFailed(id: UUID, error: PaymentError)
        case storePaymentRequested(Payment)
        case storefrontChanged(Storefront)
    }

    package var queue: Int64
    package var revision: UInt64
    package var kind: Kind
    /// Whether it is delivered at every attach until an observer has acknowledged it.
    package var isPending: Bool

    package init(queue: Int64, revision: UInt64, kind: Kind, isPending: Bool = false) {
        self.queue = queue
        self.revision = revision
        self.kind = kind
        self.isPending = isPending
    }

    /// The event as observers see it.
    package var event: QueueEvent {
        switch kind {
        case .restoreFinished(let id, let count): .restoreFinished(id: id, count: count)
        case .restoreFailed(let id, let error): .restoreFailed(id: id, error: error)
        case .storePaymentRequested(let payment): .storePaymentRequested(payment)
        case .storefrontChanged(let storefront): .storefrontChanged(storefront)
        }
    }
}

/// Queues and their events.
package protocol QueueReader {
    /// Whether an agent of the account is attached to another daemon that shares the ledger (``Ledger/announceAgents(of:)``).
    func isAgentElsewhere(account: String) throws -> Bool
    func queue(_ name: QueueName) throws -> QueueRecord?
    func queue(key: Int64) throws -> QueueRecord?
    /// Queues with a key above `key`, by key.
    func queues(afterKey key: Int64, limit: Int) throws -> [QueueRecord]
    /// The queue's events after `revision`, by revision.
    func events(in queue: Int64, after revision: UInt64, limit: Int) throws -> [EventRecord]
    /// The queue's pending events with a revision in the range, by revision.
    func pendingEvents(in queue: Int64, revisions: ClosedRange<UInt64>, limit: Int) throws -> [EventRecord]
}

extension QueueReader {
    package func isAgentElsewhere(account: String) -> Bool { false }
}

package protocol QueueWriter {
    func createQueue(_ name: QueueName) throws -> QueueRecord
    /// Gives the queue its next revision, and returns it.
    func advanceRevision(ofQueue key: Int64) throws -> UInt64
    func insert(_ event: EventRecord) throws
    /// Deletes all but the newest `count` events of the queue and those that are pending, and raises the queue's floor
    /// to the newest deleted.
    func pruneEvents(ofQueue key: Int64, keeping count: Int) throws
    /// Ends the pending of the queue's events and revocations up to `revision`.
    func acknowledge(_ revision: UInt64, inQueue key: Int64) throws
}
