import FoundationEssentials
import Logging
import TillModel

/// Content can be fetched again, and so somebody may have removed it, as whoever clears the caches of a machine does.
extension PaymentEngine {
    /// Has all downloads wait again that are finished and whose content is gone.
    func releaseLost(among ids: Set<UUID>, _ downloader: any ContentDownloader) async throws(TillError) {
        for id in ids.sorted() where active.isOpen {
            do throws(TillError) {
                try await releaseIfLost(id, downloader)
            } catch {
                guard error.code == .dataLoss else {
                    throw error
                }
                logUnreadable(error)
            }
        }
    }

    private func releaseIfLost(_ id: UUID, _ downloader: any ContentDownloader) async throws(TillError) {
        let found = try await read { ledger in
            try ledger.download(id).flatMap { record in
                try ledger.queue(key: record.queue).map { (record, $0.name) }
            }
        }
        if let (record, name) = found {
            _ = try await releaseLost([record], of: name, downloader)
        }
    }

    /// Has those of the queue's downloads wait again that are finished and whose content is gone.
    ///
    /// - Returns: Whether some were such.
    func releaseLost(
        _ records: [DownloadRecord],
        of name: QueueName,
        _ downloader: any ContentDownloader
    ) async throws(TillError) -> Bool {
        var lost: [DownloadRecord] = []
        for record in records where record.state == .finished {
            if await downloader.hasLost(record.id, content: record.content.identifier, of: name) {
                lost.append(record)
            }
        }
        guard !lost.isEmpty else {
            return false
        }
        let released = try await release(lost)
        for record in released {
            logger.warning(
                "The content of a finished download is gone, and can be downloaded again",
                metadata: ["download.id": "\(record.id.text)"]
            )
        }
        return !released.isEmpty
    }

    /// - Returns: Those that were still finished as they were.
    private func release(_ lost: [DownloadRecord]) async throws(TillError) -> [DownloadRecord] {
        try await commit(isOwn: true) { context in
            var released: [DownloadRecord] = []
            for record in lost {
                guard var current = try context.ledger.download(record.id), current.state == .finished,
                    current.run == record.run
                else {
                    continue
                }
                current.lose()
                released.append(try context.save(current))
            }
            return .success(released)
        }
    }
}
