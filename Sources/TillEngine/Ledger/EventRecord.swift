package import FoundationEssentials
package import TillModel

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
