public import FoundationEssentials

/// One change of a queue, as observers receive it.
///
/// Copies share their payload, because all observers of a queue receive the same event.
public indirect enum QueueEvent: Hashable, Sendable {
    /// The transaction was added to the queue or changed. It has its current state.
    case updated(Transaction)
    /// The transaction was finished and removed from the queue.
    case removed(Transaction)
    /// The transaction was fully or partly refunded or revoked. The event is delivered at every attach until an
    /// observer has acknowledged it. The transaction has its current state, finished or not.
    case revoked(Transaction)
    /// The store, not the application, requests a payment: a promoted purchase. It is delivered at every attach until
    /// it is acknowledged.
    case storePaymentRequested(Payment)
    case storefrontChanged(Storefront)
    /// Downloads changed their state or their progress. State changes are ordered with the queue's other changes;
    /// progress is not, and is reported at most ten times a second per download.
    case downloadsUpdated([Download])
    case restoreFinished(id: UUID, count: Int)
    case restoreFailed(id: UUID, error: PaymentError)
    /// All unfinished transactions follow, until `initialDeliveryEnded`.
    case initialDeliveryStarted(isReset: Bool)
    case initialDeliveryEnded
}

extension QueueEvent {
    /// Whether it is delivered at every attach until it is acknowledged.
    package var isDurable: Bool {
        switch self {
        case .revoked, .storePaymentRequested: true
        default: false
        }
    }
}

/// Consecutive changes of a queue, at most as many as the observer requested.
public struct EventBatch: Hashable, Sendable {
    /// The cursor after this batch.
    public var revision: UInt64
    /// The changes in order; empty in a heartbeat.
    public var events: [QueueEvent]

    public init(revision: UInt64, events: [QueueEvent]) {
        self.revision = revision
        self.events = events
    }
}

/// The state of a restore.
public enum RestoreState: Int, Hashable, Sendable, CaseIterable {
    case running = 0
    case finished = 1
    case failed = 2
}
