import FoundationEssentials
import TillModel

/// Changes the downloads of transactions, each change within a commit.
final class Downloads: Sendable {
    /// Nil where no content is hosted.
    let downloader: (any ContentDownloader)?
    private let catalogue: any Catalogue
    let active: ActiveDownloads
    let configuration: EngineConfiguration
    private let makeID: @Sendable () -> UUID

    init(
        _ downloader: (any ContentDownloader)?,
        _ catalogue: any Catalogue,
        _ active: ActiveDownloads,
        _ configuration: EngineConfiguration,
        makeID: @escaping @Sendable () -> UUID
    ) {
        self.downloader = downloader
        self.catalogue = catalogue
        self.active = active
        self.configuration = configuration
        self.makeID = makeID
    }

    /// A download for each piece of content of a transaction's product, to be stored.
    func make(for transaction: TransactionRecord) -> [DownloadRecord] {
        guard downloader != nil else {
            return []
        }
        return catalogue.contents(ofProduct: transaction.payment.productID).map { source in
            DownloadRecord(
                id: makeID(),
                queue: transaction.queue,
                transactionKey: transaction.key,
                transactionID: transaction.id,
                productID: transaction.payment.productID,
                content: source.content,
                sha256: source.sha256
            )
        }
    }

    /// Ends the downloads of a transaction that leaves the queue. Their files are removed, and nobody is notified.
    static func end(of transaction: TransactionRecord, _ context: inout CommandContext) throws {
        guard transaction.hasDownloads, let name = try context.ledger.queue(key: transaction.queue)?.name else {
            return
        }
        for download in try context.ledger.downloads(ofTransaction: transaction.key) {
            context.effects.endedDownloads.append(download.key)
            context.effects.downloads.append(DownloadJob(download, of: name))
        }
        try context.ledger.deleteDownloads(ofTransaction: transaction.key)
    }

    /// Applies a command to downloads of the queue: to all of them, or to none if one of them does not exist.
    func apply(
        _ command: DownloadCommand,
        to ids: [UUID],
        in name: QueueName,
        _ context: inout CommandContext
    ) throws -> Result<[DownloadRecord], TillError> {
        var records: [DownloadRecord] = []
        for id in ids {
            guard let record = try context.ledger.download(id),
                try context.ledger.queue(key: record.queue)?.name == name
            else {
                return .failure(TillError(.notFound, "The queue has no download \(id.text)."))
            }
            records.append(record)
        }
        return .success(try records.map { try apply(command, to: $0, of: name, &context) })
    }

    /// Stores how a run ended, unless a command has changed the download since, and returns the download's new state.
    func settle(
        _ record: DownloadRecord,
        _ outcome: DownloadOutcome,
        _ context: inout CommandContext
    ) throws -> DownloadState? {
        guard var current = try context.ledger.download(record.id), current.state == .active,
            current.run == record.run
        else {
            return nil
        }
        switch outcome {
        case .published(let path, let size): current.finish(at: path, size: size)
        case .failed(let error): current.fail(error)
        case .stopped: return nil
        }
        context.effects.endedDownloads.append(current.key)
        return try context.save(current).state
    }

    /// Makes finished downloads whose content is lost wait again.
    ///
    /// - Returns: Those that were still finished as they were.
    func release(_ lost: [DownloadRecord], _ context: inout CommandContext) throws -> [DownloadRecord] {
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
        return released
    }

    /// The source of exactly the content that was sold, as the catalogue has it today.
    func source(of record: DownloadRecord) -> ContentSource? {
        catalogue.contents(ofProduct: record.productID).first {
            $0.content == record.content && $0.sha256 == record.sha256
        }
    }

    private func apply(
        _ command: DownloadCommand,
        to record: DownloadRecord,
        of name: QueueName,
        _ context: inout CommandContext
    ) throws -> DownloadRecord {
        let deadline = context.now.addingTimeInterval(configuration.downloadDeadline.timeInterval)
        let received = active.current(record).receivedBytes
        guard var changed = command.applied(to: record, deadline: deadline, receivedBytes: received) else {
            return record
        }
        if changed.state == .active, !record.takesRoom, let error = try quotaError(for: record, name, context) {
            changed.fail(error)
        }
        if changed.state != .active {
            context.effects.endedDownloads.append(record.key)
        }
        // A paused download keeps its files; any other has work to do: to download, or to remove its files.
        if changed.state != .paused {
            context.effects.downloads.append(DownloadJob(record, of: name))
        }
        return try context.save(changed)
    }

    private func quotaError(
        for record: DownloadRecord,
        _ name: QueueName,
        _ context: CommandContext
    ) throws -> DownloadError? {
        let taken = try context.ledger.downloadBytes(ofAccount: name.account)
        let quota = configuration.downloadQuota
        guard taken > quota || record.content.length > quota - taken else {
            return nil
        }
        return DownloadError(
            .quota,
            "The content needs \(record.content.length) bytes, but only \(max(0, quota - taken)) of the account's \(quota) are left: finish other transactions to delete their content."
        )
    }
}
