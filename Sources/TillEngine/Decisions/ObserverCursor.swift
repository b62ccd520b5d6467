import TillModel

/// Where an observer stands in its queue's change log, and what it reads next.
///
/// An observer without a usable cursor first gets everything unfinished as it was when it attached. A transaction that
/// changes meanwhile moves to a later revision, and so arrives among the live changes.
struct ObserverCursor: Equatable {
    enum Phase: Equatable {
        /// Delivering what is unfinished up to this revision.
        case initial(through: UInt64)
        /// Going on with an initial delivery by what changed up to this revision: what left the queue meanwhile too.
        case resuming(through: UInt64)
        case live
    }

    /// What to read from the ledger for the next batch.
    enum Query: Equatable {
        case unfinished(revisions: ClosedRange<UInt64>)
        case changes(after: UInt64)
        /// Nothing is left of the initial delivery.
        case none
    }

    private(set) var revision: UInt64
    private(set) var phase: Phase
    /// The mark that the next batch begins with.
    private var pendingMark: QueueEvent?

    /// - Parameters:
    ///   - after: The observer's cursor, if it has one.
    ///   - resumesInitialDelivery: Whether the cursor lies in an initial delivery.
    ///   - queue: The queue as it is now.
    init(after: UInt64?, resumesInitialDelivery: Bool, queue: QueueRecord) {
        if let after, after >= queue.floor, after <= queue.revision {
            revision = after
            phase = resumesInitialDelivery ? .resuming(through: queue.revision) : .live
        } else {
            revision = 0
            phase = .initial(through: queue.revision)
            pendingMark = .initialDeliveryStarted(isReset: after != nil)
        }
    }

    var query: Query {
        switch phase {
        case .initial(let through) where revision < through: .unfinished(revisions: (revision + 1)...through)
        case .initial: .none
        case .resuming, .live: .changes(after: revision)
        }
    }

    /// The batch of what the query found: at most `limit` events in revision order.
    ///
    /// - Parameter isLast: Whether the query found less than it was allowed to.
    mutating func advance(by events: [(revision: UInt64, event: QueueEvent)], isLast: Bool) -> EventBatch {
        var batch = events.map(\.event)
        if let mark = pendingMark {
            batch.insert(mark, at: 0)
            pendingMark = nil
        }
        revision = events.last?.revision ?? revision
        if let end = endOfInitialDelivery(isLast: isLast) {
            revision = end
            phase = .live
            batch.append(.initialDeliveryEnded)
        }
        return EventBatch(revision: revision, events: batch)
    }

    /// Where the observer stands after its initial delivery, if that is complete now.
    private func endOfInitialDelivery(isLast: Bool) -> UInt64? {
        switch phase {
        case .initial(let through): isLast ? through : nil
        case .resuming(let through): isLast || revision >= through ? max(revision, through) : nil
        case .live: nil
        }
    }
}
