/// The newest part of a queue's change log, as commits have told of it.
///
/// It is what a read of the ledger would find after ``floor``: a transaction is there once, with its last change.
struct RecentChanges: Sendable {
    /// What is kept at most of a queue: several batches, for observers that are a little behind.
    static let countMaximum = 256
    static let weightMaximum = 1 << 20

    /// All that changed after this revision is here.
    private(set) var floor: UInt64
    private(set) var newest: UInt64
    private(set) var weight = 0
    /// In revision order.
    private var changes: [QueueChanges.Change] = []

    /// Begins with a commit that is known whole.
    init(_ commit: QueueChanges) {
        floor = commit.after
        newest = commit.after
        append(commit)
    }

    /// Goes on with the queue's next commit; false, and of no use any more, if that is not known whole or not the next.
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

    /// Drops the oldest while there is too much.
    private mutating func drop() {
        var dropped = 0
        // Nothing else may hold the changes meanwhile, or all that stay would be copied.
        while changes.count - dropped > Self.countMaximum || weight > Self.weightMaximum, dropped < changes.count {
            floor = changes[dropped].revision
            weight -= changes[dropped].weight
            dropped += 1
        }
        changes.removeFirst(dropped)
    }

    /// What follows a revision, at most so many changes of it; nil if not all of that is known here.
    func changes(after revision: UInt64, limit: Int) -> [QueueChanges.Change]? {
        guard (floor..<newest).contains(revision) else {
            return nil
        }
        let first = changes.firstIndex { $0.revision > revision } ?? changes.endIndex
        return Array(changes[first...].prefix(limit))
    }
}
