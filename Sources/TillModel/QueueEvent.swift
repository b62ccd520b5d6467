public import FoundationEssentials

/// One change of a queue, as its observers get it.
///
/// A copy shares what it is about, because all observers of a queue are given the same.
public indirect enum QueueEvent: Hashable, Sendable {
    /// Added to the queue or changed; the transaction is as it is now.
    case updated(Transaction)
    /// Finished, and out of the queue.
    case removed(Transaction)
    /// Refunded or revoked, all of it or a part; delivered at every attach until an observer has acknowledged it. The
    /// transaction is as it is now, finished or not.
    case revoked(Transaction)
    /// The store, not the application, asks for a payment: a promoted purchase. Delivered as a revocation is.
    case storePaymentRequested(Payment)
    case storefrontChanged(Storefront)
    /// Downloads changed their state or made progress. A change of state has its place in the order of the queue's
    /// changes; progress has none, and comes at most ten times a second for each download.
    case downloadsUpdated([Download])
    case restoreFinished(id: UUID, count: Int)
    case restoreFailed(id: UUID, error: PaymentError)
    /// What follows, up to the end mark, is everything unfinished.
    case initialDeliveryStarted(isReset: Bool)
    case initialDeliveryEnded
}

extension QueueEvent {
    /// Whether it is delivered at every attach until it was acknowledged.
    package var isDurable: Bool {
        switch self {
        case .revoked, .storePaymentRequested: true
        default: false
        }
    }
}

/// Consecutive changes of a queue, at most as many as the observer asked for.
public struct EventBatch: Hashable, Sendable {
    /// The cursor after this batch.
    public var revision: UInt64
    /// In order. Empty in a heartbeat.
    public var events: [QueueEvent]

    public init(revision: UInt64, events: [QueueEvent]) {
        self.revision = revision
        self.events = events
    }
}

/// How far a restore has come.
public enum RestoreState: Int, Hashable, Sendable, CaseIterable {
    case running = 0
    case finished = 1
    case failed = 2
}
