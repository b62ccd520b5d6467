package import FoundationEssentials
package import TillModel

/// What a sequence of changes does between the daemon's batches and its reader, without the connection: what to deliver,
/// what to acknowledge, and where to go on.
package struct ChangeReader {
    private var batches: BatchReader
    private var pending: ArraySlice<Change> = []
    private var unacknowledged = Unacknowledged()
    private let window: Int
    package private(set) var isConnected = true

    /// What was handed over since the last acknowledgement.
    private struct Unacknowledged {
        var batchCount = 0
        var isDurable = false
        var revision: UInt64 = 0
    }

    /// - Parameters:
    ///   - cursor: Where to begin; nil for everything unfinished.
    ///   - window: Batches that the daemon sends before one is acknowledged.
    package init(cursor: UInt64?, window: Int) {
        batches = BatchReader(cursor: cursor)
        self.window = window
    }

    /// The revision to acknowledge before another batch is asked for: of what is delivered until it was acknowledged, and
    /// of half a window, so that the other half is under way meanwhile.
    package var acknowledgementDue: UInt64? {
        let isDue = unacknowledged.isDurable || unacknowledged.batchCount >= max(1, window / 2)
        return isDue ? unacknowledged.revision : nil
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
        acknowledged()
        isConnected = true
        pending = [.connection(.connected)]
    }

    /// Everything that was handed over was acknowledged, or cannot be any more.
    package mutating func acknowledged() {
        unacknowledged = Unacknowledged()
    }

    package mutating func read(_ batch: EventBatch) {
        unacknowledged.batchCount += 1
        unacknowledged.isDurable = unacknowledged.isDurable || batch.events.contains(where: \.isDurable)
        unacknowledged.revision = batch.revision
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
