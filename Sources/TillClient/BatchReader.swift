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
                    changes.join(.updated([transaction]))
                }
            case .revoked(let transaction):
                if transaction.revision > cursor ?? 0 {
                    changes.joinRevoked(transaction)
                }
            case .removed(let transaction):
                changes.join(.removed([transaction]))
            case .storePaymentRequested(let payment):
                changes.append(.storePaymentRequested(payment))
            case .storefrontChanged(let storefront):
                changes.append(.storefrontChanged(storefront))
            case .downloadsUpdated(let downloads):
                changes.join(.downloadsUpdated(downloads))
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
}

extension [Change] {
    /// It is in the queue, or out of it, all the same, and this may be all that is told of it: that comes first.
    fileprivate mutating func joinRevoked(_ transaction: Transaction) {
        let revoked: Change? = if case .revoked = last { popLast() } else { nil }
        join(transaction.isFinished ? .removed([transaction]) : .updated([transaction]))
        if let revoked {
            append(revoked)
        }
        join(.revoked([transaction]))
    }

    /// Appends a change of transactions or downloads, to the last one when that is of the same kind.
    fileprivate mutating func join(_ change: Change) {
        // What the last one holds is taken out of here first, or all of it would be copied.
        switch (popLast(), change) {
        case (.updated(var all), .updated(let more)):
            all += more
            append(.updated(all))
        case (.removed(var all), .removed(let more)):
            all += more
            append(.removed(all))
        case (.revoked(var all), .revoked(let more)):
            all += more
            append(.revoked(all))
        case (.downloadsUpdated(var all), .downloadsUpdated(let more)):
            all += more
            append(.downloadsUpdated(all))
        case (let last?, _):
            append(last)
            append(change)
        case (nil, _):
            append(change)
        }
    }
}
