package import FoundationEssentials
public import TillModel
import TillWire

extension PaymentQueue {
    /// The downloads of all unfinished transactions as they are now, the oldest first.
    public var downloads: PagedList<Download> {
        PagedList { [connector] (token) async throws(TillError) in
            let page: ListDownloadsResponse = try await connector.call(
                DownloadsMethod.service,
                DownloadsMethod.listDownloads.rawValue,
                ListDownloadsRequest(pageToken: token)
            )
            return (page.downloads, page.nextPageToken)
        }
    }

    /// Has the daemon download them, whether or not this process lives: those that are waiting, failed or cancelled.
    ///
    /// ``changes`` tells how they go on. This and the other commands return once the change is durable, name any number
    /// of downloads, and leave alone what they do not fit.
    ///
    /// - Returns: The downloads after it.
    /// - Throws: `notFound` for a download that the queue does not have, as after its transaction was finished:
    ///   downloads named before it may have changed.
    @discardableResult
    public func start(_ downloads: [Download]) async throws(TillError) -> [Download] {
        try await start(downloadIDs: downloads.map(\.id))
    }

    @discardableResult
    package func start(downloadIDs ids: [UUID]) async throws(TillError) -> [Download] {
        try await control(.start, ids)
    }

    /// Has active downloads rest, keeping what is here of them.
    @discardableResult
    public func pause(_ downloads: [Download]) async throws(TillError) -> [Download] {
        try await pause(downloadIDs: downloads.map(\.id))
    }

    @discardableResult
    package func pause(downloadIDs ids: [UUID]) async throws(TillError) -> [Download] {
        try await control(.pause, ids)
    }

    /// Has paused downloads go on.
    @discardableResult
    public func resume(_ downloads: [Download]) async throws(TillError) -> [Download] {
        try await resume(downloadIDs: downloads.map(\.id))
    }

    @discardableResult
    package func resume(downloadIDs ids: [UUID]) async throws(TillError) -> [Download] {
        try await control(.resume, ids)
    }

    /// Gives up downloads that are not finished, and removes what is here of them.
    @discardableResult
    public func cancel(_ downloads: [Download]) async throws(TillError) -> [Download] {
        try await cancel(downloadIDs: downloads.map(\.id))
    }

    @discardableResult
    package func cancel(downloadIDs ids: [UUID]) async throws(TillError) -> [Download] {
        try await control(.cancel, ids)
    }

    private func control(_ method: DownloadsMethod, _ ids: [UUID]) async throws(TillError) -> [Download] {
        var downloads: [Download] = []
        for start in stride(from: 0, to: ids.count, by: WireProtocol.downloadsMaximum) {
            let page = ids[start..<min(start + WireProtocol.downloadsMaximum, ids.count)]
            let response: DownloadsResponse = try await connector.call(
                DownloadsMethod.service,
                method.rawValue,
                DownloadsRequest(downloadIDs: Array(page))
            )
            downloads += response.downloads
        }
        return downloads
    }
}
