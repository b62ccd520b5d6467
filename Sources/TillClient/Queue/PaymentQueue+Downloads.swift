package import FoundationEssentials
public import TillModel
import TillWire

extension PaymentQueue {
    /// The downloads of all unfinished transactions as they are now, the oldest first.
    public var downloads: PagedList<Download> {
        PagedList { [connector] (token) async throws(TillError) in
            let page = try await connector.call(ListDownloadsRequest(pageToken: token))
            return (page.downloads, page.nextPageToken)
        }
    }

    /// Starts waiting, failed and cancelled downloads. The daemon downloads them even if this process ends.
    ///
    /// ``changes`` reports their progress. This and the other commands take any number of downloads, skip those in a
    /// state that does not fit, and return once the change is durable.
    ///
    /// - Returns: The downloads after the change.
    /// - Throws: `notFound` for a download that the queue does not have, for example after its transaction was
    ///   finished. Downloads earlier in the list may have changed.
    @discardableResult
    public func start(_ downloads: [Download]) async throws(TillError) -> [Download] {
        try await start(downloadIDs: downloads.map(\.id))
    }

    @discardableResult
    package func start(downloadIDs ids: [UUID]) async throws(TillError) -> [Download] {
        try await control(.start, ids)
    }

    /// Pauses active downloads, keeping partial data.
    @discardableResult
    public func pause(_ downloads: [Download]) async throws(TillError) -> [Download] {
        try await pause(downloadIDs: downloads.map(\.id))
    }

    @discardableResult
    package func pause(downloadIDs ids: [UUID]) async throws(TillError) -> [Download] {
        try await control(.pause, ids)
    }

    /// Resumes paused downloads.
    @discardableResult
    public func resume(_ downloads: [Download]) async throws(TillError) -> [Download] {
        try await resume(downloadIDs: downloads.map(\.id))
    }

    @discardableResult
    package func resume(downloadIDs ids: [UUID]) async throws(TillError) -> [Download] {
        try await control(.resume, ids)
    }

    /// Cancels downloads that are not finished, and removes their partial data.
    @discardableResult
    public func cancel(_ downloads: [Download]) async throws(TillError) -> [Download] {
        try await cancel(downloadIDs: downloads.map(\.id))
    }

    @discardableResult
    package func cancel(downloadIDs ids: [UUID]) async throws(TillError) -> [Download] {
        try await control(.cancel, ids)
    }

    private func control(_ method: DownloadsRequest.Method, _ ids: [UUID]) async throws(TillError) -> [Download] {
        var downloads: [Download] = []
        for start in stride(from: 0, to: ids.count, by: WireProtocol.downloadsMaximum) {
            let page = ids[start..<min(start + WireProtocol.downloadsMaximum, ids.count)]
            downloads += try await connector.call(method, DownloadsRequest(downloadIDs: Array(page))).downloads
        }
        return downloads
    }
}
