import TillModel

extension MemoryState {
    /// Enters a download into every index that its present values belong to.
    mutating func index(_ record: DownloadRecord) {
        downloads[record.key] = record
        downloadKeys[record.id] = record.key
        transactionDownloads[record.transactionKey, default: SortedArray()].insert(record.key)
        queues[record.queue]?.downloads.insert(record.key)
        queues[record.queue]?.downloadChanges.insert(record.change)
        if record.state == .active {
            activeDownloads.insert(record.key)
        }
    }

    /// Takes a download out of every index that a change of its values may move it in.
    mutating func unindex(_ record: DownloadRecord) {
        queues[record.queue]?.downloadChanges.remove(record.change)
        activeDownloads.remove(record.key)
    }

    mutating func remove(_ record: DownloadRecord) {
        unindex(record)
        downloads[record.key] = nil
        downloadKeys[record.id] = nil
        transactionDownloads[record.transactionKey]?.remove(record.key)
        queues[record.queue]?.downloads.remove(record.key)
    }
}

extension DownloadRecord {
    fileprivate var change: MemoryQueue.DownloadChange {
        MemoryQueue.DownloadChange(revision: revision, key: key)
    }
}
