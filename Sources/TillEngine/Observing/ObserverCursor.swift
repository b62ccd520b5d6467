import TillModel

/// An observer's position in its queue's change log, and its next read.
///
/// An observer without a usable cursor first gets everything that was unfinished when it attached. A transaction that
/// changes during this delivery moves to a later revision. The delivery therefore ends only when the observer has
/// caught up with the changes since: then nothing that was unfinished at the start is missing.
struct ObserverCursor: Equatable {
    enum Phase: Equatable {
        /// Delivering unfinished transactions up to this revision.
        case initial(through: UInt64)
        /// Delivering the changes since.
        case catchingUp
        case live
    }

    /// The read from the ledger for the next batch.
    enum Query: Equatable {
        case unfinished(revisions: ClosedRange<UInt64>)
        case changes(after: UInt64)
        /// All unfinished transactions have been read.
        case none
    }

    /// An entry of the change log. Without an event, it is left out of the delivery.
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
    /// Whether it has caught up with the changes from before it attached, and so reads shared pages: an older shared
    /// page may show transactions that have been finished since as unfinished.
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
            // It reads changes, so that transactions that have left the queue since are delivered too.
            phase = resumesInitialDelivery ? .catchingUp : .live
        } else {
            revision = 0
            phase = .initial(through: queue.revision)
            pendingMark = .initialDeliveryStarted(isReset: after != nil)
        }
    }

    /// Restarts with an initial delivery if the log no longer reaches back to the cursor; returns whether it did.
    /// Before an initial delivery has ended there is no need: its end mark already tells the observer that changes may
    /// be missing.
    ///
    /// - Parameter floor: The queue's floor when the changes were read.
    mutating func restart(below floor: UInt64) -> Bool {
        guard phase == .live, revision < floor else {
            return false
        }
        // The changes since then follow, so that transactions that have left the queue since are delivered too.
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

    /// The batch of the page that the query found.
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

    /// Ends the phase whose last page was read; returns whether that ends the initial delivery.
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
