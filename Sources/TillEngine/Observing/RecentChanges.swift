/// The newest part of a queue's change log, from the commits themselves.
///
/// It has the same entries as a read of the ledger after ``floor``: each transaction once, with its last change.
struct RecentChanges: Sendable {
    /// The limits for one queue: several batches, for observers that are a little behind.
    static let countMaximum = 256
    static let weightMaximum = 1 << 20

    /// All changes after this revision are here.
    private(set) var floor: UInt64
    private(set) var newest: UInt64
    private(set) var weight = 0
    /// The changes in revision order.
    private var changes: [QueueChanges.Change] = []

    /// Begins with a commit that has all its changes.
    init(_ commit: QueueChanges) {
        floor = commit.after
        newest = commit.after
        append(commit)
    }

    /// Adds the queue's next commit. Returns false if that does not have all its changes or is not the next one; the
    /// value must not be used any longer then.
    mutating func append(next commit: QueueChanges) -> Bool {
        guard commit.isWhole, commit.after == newest else {
            return false
        }
        append(commit)
        return true
    }

    private mutating func append(_ commit: QueueChanges) {
        let changed = Set(commit.kept.compactMap(\.key))
        changes.removeAll { change in
            let isOver = change.key.map(changed.contains) ?? false
            weight -= isOver ? change.weight : 0
            return isOver
        }
        changes += commit.kept
        weight += commit.kept.reduce(0) { $0 + $1.weight }
        newest = commit.newest
        drop()
    }

    /// Drops the oldest changes beyond the limits.
    private mutating func drop() {
        var dropped = 0
        // Nothing else may hold the array now, or all remaining changes would be copied.
        while changes.count - dropped > Self.countMaximum || weight > Self.weightMaximum, dropped < changes.count {
            floor = changes[dropped].revision
            weight -= changes[dropped].weight
            dropped += 1
        }
        changes.removeFirst(dropped)
    }

    /// The changes after a revision, at most `limit` of them; nil if some are not here.
    func changes(after revision: UInt64, limit: Int) -> [QueueChanges.Change]? {
        guard (floor..<newest).contains(revision) else {
            return nil
        }
        let first = changes.firstIndex { $0.revision > revision } ?? changes.endIndex
        return Array(changes[first...].prefix(limit))
    }
}
