import FoundationEssentials
import TillModel

/// Work on a download: to fetch it, or to remove what is left of it; its row tells.
struct DownloadJob: Hashable, Sendable {
    var key: Int64
    var id: UUID
    var queue: Int64
    var name: QueueName

    init(_ record: DownloadRecord, of name: QueueName) {
        key = record.key
        id = record.id
        queue = record.queue
        self.name = name
    }
}

extension PaymentEngine {
    func runDownloads(_ downloads: JobRunner<Int64, DownloadJob>) async throws {
        guard let downloader else {
            return
        }
        // With one that cannot be read, nobody knows what is left over.
        try await perform { () throws(TillError) in
            let kept = try await read { try $0.downloadIDs() }
            await downloader.removeAll(except: kept)
            try await releaseLost(among: kept, downloader)
        }
        try await downloads.run(
            find: { _, limit in try await self.ledger.read { try self.activeDownloads(limit: limit, $0) } },
            perform: { job, _ in
                try await self.perform { () throws(TillError) in try await self.process(job, downloader) }
            }
        )
    }

    private func activeDownloads(limit: Int, _ ledger: any LedgerReader) throws -> [DownloadJob] {
        try ledger.activeDownloads(limit: limit).compactMap { record in
            do {
                return try ledger.queue(key: record.queue).map { DownloadJob(record, of: $0.name) }
            } catch let error as TillError where error.code == .dataLoss {
                logUnreadable(error)
                return nil
            }
        }
    }

    /// Does what a download's row asks for. A command that changes the row meanwhile hands the download over again.
    private func process(_ job: DownloadJob, _ downloader: any ContentDownloader) async throws(TillError) {
        guard !Task.isCancelled, let stop = active.begin(job.key, queue: job.queue) else {
            return
        }
        defer { active.end(job.key) }
        switch try await read({ try $0.download(job.id) }) {
        case .some(let record) where record.state == .active:
            let outcome = await fetch(record, job, downloader, until: stop)
            guard try await settle(record, outcome) == .failed else {
                return
            }
        case .some(let record) where record.state != .cancelled && record.state != .failed:
            return
        default:
            break
        }
        await downloader.remove(job.id, of: job.name)
    }

    private func fetch(
        _ record: DownloadRecord,
        _ job: DownloadJob,
        _ downloader: any ContentDownloader,
        until stop: AsyncStream<Void>
    ) async -> DownloadOutcome {
        guard let source = source(of: record) else {
            return .failed(
                DownloadError(.withdrawn, "The store no longer has version \(record.content.version) of this content.")
            )
        }
        let order = DownloadOrder(id: record.id, queue: job.name, source: source)
        return await withTaskGroup(of: FetchEnd.self) { group in
            group.addTask { .outcome(await downloader.download(order) { self.active.report($0, of: record) }) }
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

    /// Why a fetch ends.
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
        // Further ahead than that it lies only when the clock was set back.
        let wait = min(.seconds(deadline.timeIntervalSince(time.now())), configuration.downloadDeadline)
        return (try? await time.sleep(for: wait)) != nil ? .expired : .stop
    }

    /// Where the very content comes from that was sold, as the catalogue says today.
    private func source(of record: DownloadRecord) -> ContentSource? {
        catalogue.contents(ofProduct: record.productID).first {
            $0.content == record.content && $0.sha256 == record.sha256
        }
    }

    /// Stores how a run ended, unless a command came between, and returns the download's new state.
    private func settle(
        _ record: DownloadRecord,
        _ outcome: DownloadOutcome
    ) async throws(TillError) -> DownloadState? {
        try await commit(isOwn: true) { context in
            guard var current = try context.ledger.download(record.id), current.state == .active,
                current.run == record.run
            else {
                return .success(nil)
            }
            switch outcome {
            case .published(let path, let size): current.finish(at: path, size: size)
            case .failed(let error): current.fail(error)
            case .stopped: return .success(nil)
            }
            context.effects.endedDownloads.append(current.key)
            return .success(try context.save(current).state)
        }
    }
}
