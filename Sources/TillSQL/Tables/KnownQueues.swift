import TillEngine

/// The queues that commits have read. Commands of one commit for the same queue read it once, and write its changes once;
/// the next commits still know it.
struct KnownQueues {
    /// Beyond this, all are dropped at the end of a commit, and read again when they are needed.
    static let countMaximum = 1_024

    private var records: [Int64: QueueRecord] = [:]
    private var keys: [QueueName: Int64] = [:]
    /// The keys of queues whose changes are still to be written.
    private var advanced: Set<Int64> = []
    /// The keys of queues that this commit has changed.
    private(set) var changed: Set<Int64> = []

    subscript(key: Int64) -> QueueRecord? {
        records[key]
    }

    /// Databases compare names by their bytes, Swift by canonical equivalence.
    subscript(name: QueueName) -> QueueRecord? {
        guard let record = keys[name].flatMap({ records[$0] }),
            record.name.application.utf8.elementsEqual(name.application.utf8),
            record.name.account.utf8.elementsEqual(name.account.utf8)
        else {
            return nil
        }
        return record
    }

    mutating func insert(_ record: QueueRecord) {
        records[record.key] = record
        keys[record.name] = record.key
    }

    /// Replaces a known queue whose revision or beginning is to be written.
    mutating func advance(_ record: QueueRecord) {
        records[record.key] = record
        advanced.insert(record.key)
        changed.insert(record.key)
    }

    /// The queues whose changes are to be written now.
    mutating func takeAdvanced() -> [QueueRecord] {
        defer { advanced = [] }
        return advanced.compactMap { records[$0] }
    }

    /// Ends a commit.
    mutating func settle() {
        changed = []
        if records.count > Self.countMaximum {
            self = KnownQueues()
        }
    }
}
