import TillModel

/// Where an observer stands in its queue's change log, and what it reads next.
///
/// An observer without a usable cursor first gets everything unfinished as it was when it attached. A transaction that
/// changes meanwhile moves to a later revision, and so the delivery ends only when the changes since have been caught up
/// with: then nothing that was unfinished at the start is missing.
struct ObserverCursor: Equatable {
    enum Phase: Equatable {
        /// Delivering what is unfinished up to this revision.
        case initial(through: UInt64)
        /// Delivering what has changed since.
        case catchingUp
        case live
    }

    /// What to read from the ledger for the next batch.
    enum Query: Equatable {
        case unfinished(revisions: ClosedRange<UInt64>)
        case changes(after: UInt64)
        /// Nothing is left of what was unfinished.
        case none
    }

    /// What the log holds at a revision; nothing where it is left out of the delivery.
    struct Entry: Equatable {
        var revision: UInt64
        var event: QueueEvent?

        init(revision: UInt64, event: QueueEvent?) {
            self.revision = revision
            self.event = event
        }

        init(_ record: TransactionRecord, identifiedBy numbering: LedgerNumbering) {
            self.init(revision: record.revision, event: record.event(identifiedBy: numbering))
        }

        init(_ record: EventRecord) {
            self.init(revision: record.revision, event: record.event)
        }
    }

    private(set) var revision: UInt64
    private(set) var phase: Phase
    /// Whether it has read all that had changed when it came, and so reads what others read: a page that was made before
    /// it came may show as it was what has been finished since.
    private(set) var isFollowing = false
    /// The mark that the next batch begins with.
    private var pendingMark: QueueEvent?

    /// - Parameters:
    ///   - after: The observer's cursor, if it has one.
    ///   - resumesInitialDelivery: Whether the cursor lies in an initial delivery.
    ///   - queue: The queue as it is now.
    init(after: UInt64?, resumesInitialDelivery: Bool, queue: QueueRecord) {
        if let after, after >= queue.floor, after <= queue.revision {
            revision = after
            // By what changed, so that what left the queue meanwhile is delivered too.
            phase = resumesInitialDelivery ? .catchingUp : .live
        } else {
            revision = 0
            phase = .initial(through: queue.revision)
            pendingMark = .initialDeliveryStarted(isReset: after != nil)
        }
    }

    /// Begins anew if the log does not reach back to it any more; returns whether it did. The end of an initial delivery
    /// shows that there may have been more, and until then there is no need.
    ///
    /// - Parameter floor: The queue's floor when the changes were read.
    mutating func beginAnew(below floor: UInt64) -> Bool {
        guard phase == .live, revision < floor else {
            return false
        }
        // The changes since then follow, so that what left the queue meanwhile is delivered too.
        phase = .initial(through: revision)
        revision = 0
        isFollowing = false
        pendingMark = .initialDeliveryStarted(isReset: true)
        return true
    }

    var query: Query {
        switch phase {
        case .initial(let through) where revision < through: .unfinished(revisions: (revision + 1)...through)
        case .initial: .none
        case .catchingUp, .live: .changes(after: revision)
        }
    }

    /// The batch of what the query found.
    mutating func advance(by page: ChangePage) -> EventBatch {
        var events = page.events
        if let mark = pendingMark {
            events.insert(mark, at: 0)
            pendingMark = nil
        }
        revision = page.revision ?? revision
        isFollowing = phase == .live && (isFollowing || page.isLast)
        if page.isLast, finishPhase(newest: page.newest) {
            events.append(.initialDeliveryEnded)
        }
        return EventBatch(revision: revision, events: events)
    }

    /// Leaves the phase whose last page was read; returns whether the initial delivery is over with it.
    private mutating func finishPhase(newest: UInt64) -> Bool {
        switch phase {
        case .initial(let through):
            revision = through
            phase = newest <= through ? .live : .catchingUp
            return phase == .live
        case .catchingUp:
            phase = .live
            return true
        case .live:
            return false
        }
    }
}
