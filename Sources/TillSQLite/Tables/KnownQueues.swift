import TillEngine

/// The queues that one transaction has read, with its changes, so that commands for the same queue read it once and write
/// its revision once.
struct KnownQueues {
    private var records: [Int64: QueueRecord] = [:]
    private var keys: [QueueName: Int64] = [:]
    /// The keys of queues whose revisions are still to be written.
    private var advanced: Set<Int64> = []

    subscript(key: Int64) -> QueueRecord? {
        records[key]
    }

    /// SQLite compares names by their bytes, Swift by canonical equivalence.
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

    /// Replaces a known queue whose revision is to be written.
    mutating func advance(_ record: QueueRecord) {
        records[record.key] = record
        advanced.insert(record.key)
    }

    /// The queues whose revisions are to be written now.
    mutating func takeAdvanced() -> [QueueRecord] {
        defer { advanced = [] }
        return advanced.compactMap { records[$0] }
    }
}
