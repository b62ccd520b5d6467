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

    package init(key: Int64, name: QueueName, revision: UInt64 = 0, floor: UInt64 = 0) {
        self.key = key
        self.name = name
        self.revision = revision
        self.floor = floor
    }
}
