import FoundationEssentials
import TillModel

/// Turns batches into changes: joins neighbours, and drops what this sequence has delivered before.
struct BatchReader {
    /// Where to go on after a reconnect; nil until the initial delivery is complete.
    private(set) var cursor: UInt64?
    /// The highest revision of a transaction that was delivered.
    private var delivered: UInt64 = 0
    private var ledgerID: UUID?

    /// - Parameter cursor: Where to begin; nil for everything unfinished.
    init(cursor: UInt64?) {
        self.cursor = cursor
        delivered = cursor ?? 0
    }

    /// A stream of this ledger begins. Revisions of another ledger mean nothing in it.
    mutating func attach(toLedger id: UUID) {
        if let ledgerID, ledgerID != id {
            cursor = nil
            delivered = 0
        }
        ledgerID = id
    }

    mutating func read(_ batch: EventBatch) -> [Change] {
        var changes: [Change] = []
        for event in batch.events {
            switch event {
            case .updated(let transaction):
                if transaction.revision > delivered {
                    Self.append(updated: transaction, to: &changes)
                }
                delivered = max(delivered, transaction.revision)
            case .removed(let transaction):
                Self.append(removed: transaction, to: &changes)
                delivered = max(delivered, transaction.revision)
            case .restoreFinished(let id, let count):
                changes.append(.restoreFinished(id: id, count: count))
            case .restoreFailed(let id, let error):
                changes.append(.restoreFailed(id: id, error: error))
            case .initialDeliveryStarted:
                cursor = nil
            case .initialDeliveryEnded:
                cursor = batch.revision
                changes.append(.initialDeliveryEnded)
            }
        }
        if cursor != nil {
            cursor = batch.revision
        }
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
