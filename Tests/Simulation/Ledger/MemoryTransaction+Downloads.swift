import FoundationEssentials
import TillEngine
import TillModel

extension MemoryTransaction: DownloadReader {
    func download(_ id: UUID) -> DownloadRecord? {
        state.downloadKeys[id].flatMap { state.downloads[$0] }
    }

    func downloads(ofTransaction key: Int64) -> [DownloadRecord] {
        downloads(state.transactionDownloads[key]?.elements, limit: .max)
    }

    func downloads(in queue: Int64, afterKey key: Int64, limit: Int) -> [DownloadRecord] {
        downloads(state.queues[queue]?.downloads.drop(while: { $0 <= key }), limit: limit)
    }

    func downloads(in queue: Int64, changedAfter revision: UInt64, limit: Int) -> [DownloadRecord] {
        let changes = state.queues[queue]?.downloadChanges.drop(while: { $0.revision <= revision })
        return downloads(changes?.lazy.map(\.key), limit: limit)
    }

    func activeDownloads(limit: Int) -> [DownloadRecord] {
        downloads(state.activeDownloads.elements, limit: limit)
    }

    func downloadIDs() -> Set<UUID> {
        Set(state.downloadKeys.keys)
    }

    func downloadBytes(ofAccount account: String) -> Int64 {
        state.downloads.values.lazy.filter { self.isQueue($0.queue, ofAccount: account) }.map(\.bytesOnDisk)
            .reduce(0) { sum, bytes in
                let (sum, isTooMuch) = sum.addingReportingOverflow(bytes)
                return isTooMuch ? .max : sum
            }
    }

    /// Simulated hosts have no content.
    func endedDownloads(limit: Int) -> [EndedDownload] {
        []
    }

    private func downloads(_ keys: (some Sequence<Int64>)?, limit: Int) -> [DownloadRecord] {
        keys?.prefix(max(0, limit)).compactMap { state.downloads[$0] } ?? []
    }
}

extension MemoryTransaction: DownloadWriter {
    func insert(_ download: DownloadRecord) throws -> Int64 {
        try requireQueue(download.queue)
        try requireTransaction(download.transactionKey)
        guard state.downloadKeys[download.id] == nil else {
            throw TillError(.alreadyExists, "The ledger has download \(download.id.text) already.")
        }
        state.highestDownloadKey += 1
        var record = download
        record.key = state.highestDownloadKey
        record.deadline = download.deadline?.roundedToMilliseconds
        state.index(record)
        return record.key
    }

    func update(_ download: DownloadRecord) throws {
        guard let old = state.downloads[download.key] else {
            throw TillError(.notFound, "The ledger has no download \(download.key).")
        }
        var record = old
        record.state = download.state
        record.revision = download.revision
        record.receivedBytes = download.receivedBytes
        record.run = download.run
        record.deadline = download.deadline?.roundedToMilliseconds
        record.error = download.error
        record.path = download.path
        record.size = download.size
        state.unindex(old)
        state.index(record)
    }

    func deleteDownloads(ofTransaction key: Int64) {
        downloads(ofTransaction: key).forEach { state.remove($0) }
        state.transactionDownloads[key] = nil
    }

    func deleteEndedDownload(_ key: Int64) {}
}

extension DownloadRecord {
    /// Bytes that it takes on the disk, or may take once it is resumed.
    fileprivate var bytesOnDisk: Int64 {
        switch state {
        case .finished: size
        case .active, .paused: content.length
        case .waiting, .failed, .cancelled: 0
        }
    }
}
