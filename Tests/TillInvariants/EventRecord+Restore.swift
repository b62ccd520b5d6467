import FoundationEssentials
import TillEngine

extension EventRecord {
    /// The restore that the event ends.
    var restoreID: UUID {
        switch kind {
        case .restoreFinished(let id, _), .restoreFailed(let id, _): id
        }
    }

    /// How many were restored; nil when it failed.
    var restoredCount: Int? {
        switch kind {
        case .restoreFinished(_, let count): count
        case .restoreFailed: nil
        }
    }
}
