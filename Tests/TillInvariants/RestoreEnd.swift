package import FoundationEssentials
import TillEngine

/// The end of a restore in a queue's change log.
package struct RestoreEnd: Hashable, Sendable {
    package var revision: UInt64
    /// The restore that ended.
    package var restoreID: UUID
    /// The number of restored purchases; nil if the restore failed.
    package var restoredCount: Int?

    package init(revision: UInt64, restoreID: UUID, restoredCount: Int?) {
        self.revision = revision
        self.restoreID = restoreID
        self.restoredCount = restoredCount
    }

    /// Returns nil for other events.
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
