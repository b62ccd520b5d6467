package import FoundationEssentials
package import TillModel

extension PaymentEngine {
    /// Downloads in one command.
    package static let downloadCommandMaximum = 32
    /// Downloads in one page of a list.
    package static let downloadPage = 32

    /// The host of its downloads; nil if the daemon has the ledger alone.
    package var host: String? {
        access.ledger.host
    }

    /// Starts, pauses, resumes or cancels downloads of the queue. A download that the command does not apply to stays as it
    /// is. Starting a finished download fetches it again if its content is gone.
    ///
    /// - Returns: The downloads after it, in the order of `ids`.
    /// - Throws: `notFound` for a download that the queue does not have, as after the end of its transaction;
    ///   `failedPrecondition` when the store hosts no content: nothing happened. `unavailable` when the outcome is unknown.
    package func control(
        _ command: DownloadCommand,
        _ ids: [UUID],
        in name: QueueName
    ) async throws(TillError) -> [Download] {
        guard let downloadJobs else {
            throw TillError(.failedPrecondition, "This store hosts no content.")
        }
        guard (1...Self.downloadCommandMaximum).contains(ids.count) else {
            throw TillError(.invalidArgument, "Name 1 to \(Self.downloadCommandMaximum) downloads.")
        }
        let downloads = downloadJobs.downloads
        var records = try await commit { context in try downloads.apply(command, to: ids, in: name, &context) }
        if command == .start, try await downloadJobs.releaseLost(records, of: name) {
            records = try await commit { context in try downloads.apply(command, to: ids, in: name, &context) }
        }
        return records.map(active.current)
    }

    /// A page of the queue's downloads, the oldest first, and the token of the next page if there is more.
    ///
    /// - Parameter token: The next token of the previous page; 0 for the first page. Any key is accepted, because the
    ///   download that it names may have left the queue since.
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
}
