package import FoundationEssentials
import TillEngine

/// The end of a restore in a queue's change log.
package struct RestoreEnd: Hashable, Sendable {
    package var revision: UInt64
    /// The restore that it ends.
    package var restoreID: UUID
    /// How many were restored; nil when it failed.
    package var restoredCount: Int?

    package init(revision: UInt64, restoreID: UUID, restoredCount: Int?) {
        self.revision = revision
        self.restoreID = restoreID
        self.restoredCount = restoredCount
    }

    /// Nil for another event.
    init?(_ event: EventRecord) {
        switch event.kind {
        case .restoreFinished(let id, let count):
            self.init(revision: event.revision, restoreID: id, restoredCount: count)
        case .restoreFailed(let id, _):
            self.init(revision: event.revision, restoreID: id, restoredCount: nil)
        case .storePaymentRequested, .storefrontChanged:
            return nil
        }
    }
}
