package import FoundationEssentials
package import TillModel

extension PaymentEngine {
    /// Downloads in one command.
    package static let downloadCommandMaximum = 32
    /// Downloads in one page of a list.
    package static let downloadPage = 32

    /// Starts, pauses, resumes or cancels downloads of the queue; where that does nothing, the download stays as it is.
    /// Starting one that is finished fetches it again if its content is gone.
    ///
    /// - Returns: The downloads after it, in the order of `ids`.
    /// - Throws: `notFound` for a download that the queue does not have, as after the end of its transaction;
    ///   `failedPrecondition` when the store hosts no content: nothing happened. `unavailable` when the outcome is unknown.
    package func control(
        _ command: DownloadCommand,
        _ ids: [UUID],
        in name: QueueName
    ) async throws(TillError) -> [Download] {
        guard let downloader else {
            throw TillError(.failedPrecondition, "This store hosts no content.")
        }
        guard (1...Self.downloadCommandMaximum).contains(ids.count) else {
            throw TillError(.invalidArgument, "Name 1 to \(Self.downloadCommandMaximum) downloads.")
        }
        var records = try await carryOut(command, ids, in: name)
        if command == .start, try await releaseLost(records, of: name, downloader) {
            records = try await carryOut(command, ids, in: name)
        }
        return records.map(active.current)
    }

    private func carryOut(
        _ command: DownloadCommand,
        _ ids: [UUID],
        in name: QueueName
    ) async throws(TillError) -> [DownloadRecord] {
        try await commit { context -> Result<[DownloadRecord], TillError> in
            var records: [DownloadRecord] = []
            for id in ids {
                guard let record = try context.ledger.download(id),
                    try context.ledger.queue(key: record.queue)?.name == name
                else {
                    return .failure(TillError(.notFound, "The queue has no download \(id.text)."))
                }
                records.append(record)
            }
            return .success(try records.map { try self.apply(command, to: $0, of: name, &context) })
        }
    }

    /// A page of the queue's downloads, the oldest first, and the token of the next page if there is more.
    ///
    /// - Parameter token: What the page before returned; 0 for the first page. The download that it stands for may have
    ///   left the queue since, so that any key is taken.
    package func downloads(
        in name: QueueName,
        token: UInt64
    ) async throws(TillError) -> (page: [Download], next: UInt64?) {
        guard let key = Int64(exactly: token) else {
            throw TillError.invalidPageToken(token)
        }
        let records = try await read { ledger in
            try ledger.queue(name).map {
                try ledger.downloads(in: $0.key, afterKey: key, limit: Self.downloadPage)
            } ?? []
        }
        let next = records.count == Self.downloadPage ? records.last.flatMap { UInt64(exactly: $0.key) } : nil
        return (records.map(active.current), next)
    }

    /// A download for each piece of content of a transaction's product, to be stored.
    func newDownloads(of transaction: TransactionRecord) -> [DownloadRecord] {
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

    /// Ends the downloads of a transaction that leaves the queue; their files go with them, and nobody is told.
    static func endDownloads(of transaction: TransactionRecord, _ context: inout CommandContext) throws {
        guard transaction.hasDownloads, let name = try context.ledger.queue(key: transaction.queue)?.name else {
            return
        }
        for download in try context.ledger.downloads(ofTransaction: transaction.key) {
            context.effects.endedDownloads.append(download.key)
            context.effects.downloads.append(DownloadJob(download, of: name))
        }
        try context.ledger.deleteDownloads(ofTransaction: transaction.key)
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
        if changed.state == .active, !record.takesRoom, let fault = try quotaFault(of: record, name, context) {
            changed.fail(fault)
        }
        if changed.state != .active {
            context.effects.endedDownloads.append(record.key)
        }
        // What is paused keeps its files; all else is work: to download, or to remove.
        if changed.state != .paused {
            context.effects.downloads.append(DownloadJob(record, of: name))
        }
        return try context.save(changed)
    }

    private func quotaFault(
        of record: DownloadRecord,
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
            "The content takes \(record.content.length) bytes, and \(max(0, quota - taken)) are left of the account's \(quota); finish transactions whose content was taken over."
        )
    }
}
