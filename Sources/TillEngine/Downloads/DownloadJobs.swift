import FoundationEssentials
import Logging
import TillModel

/// Work on a download: to fetch it, or to remove its files; its row says which.
struct DownloadJob: Hashable, Sendable {
    var key: Int64
    var id: UUID
    var queue: Int64
    var name: QueueName
    /// Nil if the transaction has ended at another host, so that nothing but files is left.
    var transactionID: UUID?

    init(_ record: DownloadRecord, of name: QueueName) {
        key = record.key
        id = record.id
        queue = record.queue
        transactionID = record.transactionID
        self.name = name
    }

    init(_ ended: EndedDownload, of name: QueueName) {
        key = ended.key
        id = ended.id
        queue = ended.queue
        self.name = name
    }
}

/// Fetches and removes the content of downloads, as their rows ask.
final class DownloadJobs: Sendable {
    let downloads: Downloads
    let downloader: any ContentDownloader
    private let access: LedgerAccess
    private let time: any TimeSource

    init(_ downloads: Downloads, _ downloader: any ContentDownloader, _ access: LedgerAccess, _ time: any TimeSource) {
        self.downloads = downloads
        self.downloader = downloader
        self.access = access
        self.time = time
    }

    func run(_ runner: JobRunner<Int64, DownloadJob>) async throws {
        // If a row cannot be read, nobody knows which files are left over.
        try await access.perform { () throws(TillError) in
            let kept = try await access.read { try $0.downloadIDs() }
            await downloader.removeAll(except: kept)
            try await releaseLost(among: kept)
        }
        try await runner.run(
            find: { limit in try await self.find(limit: limit) },
            perform: { job, _ in
                try await self.access.perform { () throws(TillError) in try await self.process(job) }
            }
        )
    }

    /// Looks for downloads that are active, and for those that have ended at another host, which stop if they run here.
    private func find(limit: Int) async throws -> [DownloadJob] {
        let jobs = try await access.ledger.read { ledger in
            let ended = try ledger.endedDownloads(limit: limit).compactMap { ended in
                try self.name(ofQueue: ended.queue, ledger).map { DownloadJob(ended, of: $0) }
            }
            let active = try ledger.activeDownloads(limit: limit).compactMap { record in
                try self.name(ofQueue: record.queue, ledger).map { DownloadJob(record, of: $0) }
            }
            return (ended + active).prefix(limit)
        }
        // Those that run are found again once they have stopped.
        jobs.lazy.filter { $0.transactionID == nil }.map(\.key).forEach(downloads.active.end)
        return Array(jobs)
    }

    /// Nil if the queue cannot be read.
    private func name(ofQueue key: Int64, _ ledger: any LedgerReader) throws -> QueueName? {
        do {
            return try ledger.queue(key: key)?.name
        } catch let error as TillError where error.code == .dataLoss {
            access.logUnreadable(error)
            return nil
        }
    }

    /// Does what a download's row asks for. A command that changes the row in the meantime hands the download over again.
    private func process(_ job: DownloadJob) async throws(TillError) {
        let active = downloads.active
        guard !Task.isCancelled, let stop = active.begin(job) else {
            return
        }
        defer { active.end(job.key) }
        guard job.transactionID != nil else {
            return try await removeEnded(job)
        }
        switch try await access.read({ try $0.download(job.id) }) {
        case .some(let record) where record.state == .active:
            let outcome = await fetch(record, job, until: stop)
            let state = try await access.commit(isOwn: true) { context in
                .success(try self.downloads.settle(record, outcome, &context))
            }
            guard state == .failed else {
                return
            }
        case .some(let record) where record.state != .cancelled && record.state != .failed:
            return
        default:
            break
        }
        await downloader.remove(job.id, of: job.name)
    }

    /// Removes the files first, so that a crash leaves the job.
    private func removeEnded(_ job: DownloadJob) async throws(TillError) {
        await downloader.remove(job.id, of: job.name)
        try await access.commit(isOwn: true) { context in
            .success(try context.ledger.deleteEndedDownload(job.key))
        }
    }

    private func fetch(_ record: DownloadRecord, _ job: DownloadJob, until stop: AsyncStream<Void>) async
        -> DownloadOutcome
    {
        guard let source = downloads.source(of: record) else {
            return .failed(
                DownloadError(.withdrawn, "The store no longer has version \(record.content.version) of this content.")
            )
        }
        let order = ContentOrder(id: record.id, queue: job.name, source: source)
        return await withTaskGroup(of: FetchEnd.self) { group in
            group.addTask {
                .outcome(await self.downloader.download(order) { self.downloads.active.report($0, of: record) })
            }
            group.addTask { await Self.wait(for: stop) }
            group.addTask { await self.wait(until: record.deadline) }
            var isExpired = false
            for await end in group {
                group.cancelAll()
                switch end {
                case .outcome(.stopped) where isExpired: return .failed(Self.tookTooLong)
                case .outcome(let outcome): return outcome
                case .expired: isExpired = true
                case .stop: break
                }
            }
            return .stopped(receivedBytes: 0)
        }
    }

    /// The reason why a fetch ends.
    private enum FetchEnd {
        case outcome(DownloadOutcome)
        case stop
        case expired
    }

    private static let tookTooLong = DownloadError(.expired, "The download took too long; start it again.")

    private static func wait(for stop: AsyncStream<Void>) async -> FetchEnd {
        for await _ in stop {}
        return .stop
    }

    private func wait(until deadline: Date?) async -> FetchEnd {
        guard let deadline else {
            return .stop
        }
        // A deadline lies further ahead than that only if the clock was set back.
        let wait = min(.seconds(deadline.timeIntervalSince(time.now())), downloads.configuration.downloadDeadline)
        return (try? await time.sleep(for: wait)) != nil ? .expired : .stop
    }
}

/// Content can be fetched again, and so somebody may have removed it, for example by clearing the machine's caches.
extension DownloadJobs {
    /// Makes all finished downloads wait again whose content is lost.
    private func releaseLost(among ids: Set<UUID>) async throws(TillError) {
        for id in ids.sorted() where downloads.active.isOpen {
            do throws(TillError) {
                try await releaseIfLost(id)
            } catch {
                guard error.code == .dataLoss else {
                    throw error
                }
                access.logUnreadable(error)
            }
        }
    }

    private func releaseIfLost(_ id: UUID) async throws(TillError) {
        let found = try await access.read { ledger in
            try ledger.download(id).flatMap { record in
                try ledger.queue(key: record.queue).map { (record, $0.name) }
            }
        }
        if let (record, name) = found {
            _ = try await releaseLost([record], of: name)
        }
    }

    /// Makes the queue's finished downloads wait again whose content is lost.
    ///
    /// - Returns: Whether there were any.
    func releaseLost(_ records: [DownloadRecord], of name: QueueName) async throws(TillError) -> Bool {
        var lost: [DownloadRecord] = []
        for record in records where record.state == .finished {
            if await downloader.hasLost(record.id, content: record.content.identifier, of: name) {
                lost.append(record)
            }
        }
        guard !lost.isEmpty else {
            return false
        }
        let found = lost
        let released = try await access.commit(isOwn: true) { context in
            .success(try self.downloads.release(found, &context))
        }
        for record in released {
            access.logger.warning(
                "The content of a finished download is gone, and can be downloaded again",
                metadata: ["download.id": "\(record.id.text)"]
            )
        }
        return !released.isEmpty
    }
}
