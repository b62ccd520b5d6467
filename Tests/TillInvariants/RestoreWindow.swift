import FoundationEssentials
import TillEngine
import TillModel

/// The transactions that a restore may deliver for one original: restored transactions with these revisions.
struct RestoreWindow {
    var original: UUID
    var revisions: ClosedRange<UInt64>

    /// The identities of the restored transactions among `items`: those updated, and those updated or removed.
    func handedOver(_ items: [ObservedSequence.Item]) -> (updated: Set<UUID>, all: Set<UUID>) {
        var updated: Set<UUID> = []
        var all: Set<UUID> = []
        for item in items {
            switch item {
            case .delivered(let sighting, _) where contains(sighting):
                updated.insert(sighting.id)
                all.insert(sighting.id)
            case .removed(let sighting) where contains(sighting):
                all.insert(sighting.id)
            default:
                continue
            }
        }
        return (updated, all)
    }

    private func contains(_ sighting: Sighting) -> Bool {
        sighting.state == .restored && sighting.original == original && revisions.contains(sighting.revision)
    }
}

extension QueueEvidence {
    /// The purchases that the restore must deliver if it happened at this revision.
    func restorable(by restore: RestoreRecord, at revision: UInt64) -> [TransactionRecord] {
        books.transactions.filter { row in
            row.isEntitlement && row.finishedAt != nil && row.revision <= revision && restore.isFor(row)
        }
    }

    /// The purchases that the restore may have delivered before they were refunded or their period changed.
    func changed(since restore: RestoreRecord, endedAt end: UInt64) -> [TransactionRecord] {
        let restorable = Set(restorable(by: restore, at: end).map(\.id))
        return books.transactions.filter { row in
            row.state == .purchased && row.productType != .consumable && row.revision > restore.revision
                && (row.revocation != nil || row.term != nil) && !restorable.contains(row.id) && restore.isFor(row)
        }
    }

    /// Whether another restore of the queue was running at the same time.
    func overlaps(_ restore: RestoreRecord, endedAt end: UInt64) -> Bool {
        books.restores.contains { other in
            guard other.id != restore.id, let otherEnd = books.events.first(where: { $0.restoreID == other.id }) else {
                return false
            }
            return other.revision < end && restore.revision < otherEnd.revision
        }
    }

    /// Whether the sequence saw the original's restored transaction only after the end of this restore, because the
    /// transaction was finished in the meantime.
    func wasFinished(
        _ original: UUID,
        after end: UInt64,
        upTo last: UInt64,
        _ items: [ObservedSequence.Item]
    ) -> Bool {
        let seen = RestoreWindow(original: original, revisions: end...UInt64.max).handedOver(items)
        return restoredRows(of: original).contains { row in
            row.finishedAt != nil && row.revision > end
                && (row.revision > last || (seen.all.contains(row.id) && !seen.updated.contains(row.id)))
        }
    }

    /// Whether a restored transaction of the original was delivered before the restore and unfinished when the restore
    /// began. Then the transaction counts for this restore too.
    func wasStillUnfinished(_ original: UUID, before restore: RestoreRecord, _ items: [ObservedSequence.Item]) -> Bool {
        guard restore.revision > 0 else {
            return false
        }
        let seen = RestoreWindow(original: original, revisions: 1...restore.revision).handedOver(items).updated
        return restoredRows(of: original).contains { row in
            seen.contains(row.id) && (row.finishedAt == nil || row.revision > restore.revision)
        }
    }

    private func restoredRows(of original: UUID) -> [TransactionRecord] {
        books.transactions.filter { $0.state == .restored && $0.original?.id == original }
    }
}

extension RestoreRecord {
    /// Whether the restore includes purchases with the row's username.
    fileprivate func isFor(_ row: TransactionRecord) -> Bool {
        applicationUsername == nil || applicationUsername == row.payment.applicationUsername
    }
}

extension ObservedSequence {
    /// The index of the restore's end among the items.
    func place(of restore: UUID) -> Int? {
        items.firstIndex { item in
            guard case .restoreEnded(restore, _) = item else {
                return false
            }
            return true
        }
    }
}

extension ObservedSequence.Item {
    /// The revision of the item's transaction; nil for other items.
    var revision: UInt64? {
        switch self {
        case .delivered(let sighting, _), .removed(let sighting): sighting.revision
        case .initialDeliveryEnded, .restoreEnded: nil
        }
    }
}
