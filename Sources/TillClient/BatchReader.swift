import FoundationEssentials
import TillModel

/// Turns batches into changes: joins neighbours, and drops what this sequence has delivered before.
struct BatchReader {
    /// Where to go on after a reconnect; nil before anything was delivered.
    private(set) var cursor: UInt64?
    /// Whether the mark that everything unfinished was delivered is still to come.
    private(set) var isInitialDeliveryOpen: Bool
    private var ledgerID: UUID?

    /// - Parameter cursor: Where to begin; nil for everything unfinished.
    init(cursor: UInt64?) {
        self.cursor = cursor
        isInitialDeliveryOpen = cursor == nil
    }

    /// A stream of this ledger begins. Revisions of another ledger mean nothing in it.
    mutating func attach(toLedger id: UUID) {
        if let ledgerID, ledgerID != id {
            self = BatchReader(cursor: nil)
        }
        ledgerID = id
    }

    mutating func read(_ batch: EventBatch) -> [Change] {
        var changes: [Change] = []
        for event in batch.events {
            switch event {
            case .updated(let transaction):
                // A reset delivers again what was delivered.
                if transaction.revision > cursor ?? 0 {
                    Self.append(updated: transaction, to: &changes)
                }
            case .removed(let transaction):
                Self.append(removed: transaction, to: &changes)
            case .restoreFinished(let id, let count):
                changes.append(.restoreFinished(id: id, count: count))
            case .restoreFailed(let id, let error):
                changes.append(.restoreFailed(id: id, error: error))
            case .initialDeliveryStarted:
                isInitialDeliveryOpen = true
            case .initialDeliveryEnded:
                isInitialDeliveryOpen = false
                changes.append(.initialDeliveryEnded)
            }
        }
        cursor = max(cursor ?? 0, batch.revision)
        return changes
    }

    private static func append(updated transaction: Transaction, to changes: inout [Change]) {
        guard case .updated(let transactions) = changes.last else {
            changes.append(.updated([transaction]))
            return
        }
        changes[changes.count - 1] = .updated(transactions + [transaction])
    }

    private static func append(removed transaction: Transaction, to changes: inout [Change]) {
        guard case .removed(let transactions) = changes.last else {
            changes.append(.removed([transaction]))
            return
        }
        changes[changes.count - 1] = .removed(transactions + [transaction])
    }
}
