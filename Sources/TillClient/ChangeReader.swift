package import FoundationEssentials
package import TillModel

/// What a sequence of changes does between the daemon's batches and its reader, without the connection: what to deliver,
/// what to acknowledge, and where to go on.
package struct ChangeReader {
    private var batches: BatchReader
    private var pending: ArraySlice<Change> = []
    /// The batch that was handed over, to be acknowledged before another is asked for.
    package private(set) var unacknowledged: UInt64?
    package private(set) var isConnected = true

    /// - Parameter cursor: Where to begin; nil for everything unfinished.
    package init(cursor: UInt64?) {
        batches = BatchReader(cursor: cursor)
    }

    /// Where the next stream begins; nil for everything unfinished.
    package var cursor: UInt64? {
        batches.cursor
    }

    /// Whether the next stream begins within an initial delivery.
    package var resumesInitialDelivery: Bool {
        batches.isInitialDeliveryOpen
    }

    /// The next change at hand; nil when a batch has to be read first.
    ///
    /// A finish overtakes changes that were under way: what it ended is left out, also of a batch at hand.
    package mutating func next(leavingOut finished: FinishedTransactions) -> Change? {
        while let change = pending.popFirst() {
            if let change = change.leavingOut({ finished.contains($0.id, after: $0.revision) }) {
                return change
            }
        }
        return nil
    }

    /// A stream of this ledger begins.
    package mutating func attach(toLedger id: UUID) {
        batches.attach(toLedger: id)
        unacknowledged = nil
        isConnected = true
        pending = [.connection(.connected)]
    }

    package mutating func acknowledged() {
        unacknowledged = nil
    }

    package mutating func read(_ batch: EventBatch) {
        unacknowledged = batch.revision
        pending = batches.read(batch)[...]
    }

    /// The stream is lost, or there was none to be had, for this reason.
    package mutating func lose(_ reason: String) {
        if isConnected {
            isConnected = false
            pending = [.connection(.disconnected(reason: reason))]
        }
    }
}
