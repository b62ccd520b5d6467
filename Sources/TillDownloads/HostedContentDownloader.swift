package import FoundationEssentials
import Logging
import NIOConcurrencyHelpers
import NIOCore
package import TillEngine
import TillHTTP
package import TillModel

/// Fetches hosted content from files and servers, and keeps it in a directory for the accounts.
package final class HostedContentDownloader: ContentDownloader {
    private let configuration: DownloaderConfiguration
    private let content: ContentDirectory
    private let semaphore: AsyncSemaphore
    private let bandwidth: BandwidthLimit?
    /// Made for the first download from a server.
    private let client = NIOLockedValueBox<HTTPClient?>(nil)

    /// Makes the content directory if it is missing. Connections close when the downloader is released.
    ///
    /// - Throws: `failedPrecondition` that says what is wrong with the directory.
    package init(_ configuration: DownloaderConfiguration) throws(TillError) {
        self.configuration = configuration
        content = try ContentDirectory(path: configuration.directory, freeSpaceFloor: configuration.freeSpaceFloor)
        semaphore = AsyncSemaphore(configuration.concurrentMaximum)
        bandwidth = configuration.bandwidth.map { BandwidthLimit(bytesPerSecond: $0, clock: configuration.clock) }
    }

    /// Makes the content directory the ledger's, for good. One that is nobody's yet is taken over with all in it.
    ///
    /// - Throws: `failedPrecondition` when it is another ledger's, whose content must not be removed.
    package func claim(for ledger: UUID) throws(TillError) {
        try content.claim(for: ledger)
    }

    package func download(
        _ order: ContentOrder,
        progress: @escaping @Sendable (DownloadProgress) -> Void
    ) async -> DownloadOutcome {
        let files = DownloadFiles(
            content: content,
            order: order,
            user: configuration.user(order.queue.account),
            limits: configuration.archives
        )
        let run = DownloadRun(
            order,
            files: files,
            configuration: configuration,
            bandwidth: bandwidth,
            progress: progress
        )
        return await run.outcome(semaphore: semaphore) { run in
            switch order.source.url.scheme?.lowercased() {
            case "file": try await run.fetchFile()
            case "http", "https": try await run.fetch(by: openClient())
            default: throw DownloadError(.unavailable, "The content's URL must have the scheme file, http or https.")
            }
        }
    }

    /// The client that all downloads share, with one connection for each.
    private func openClient() throws(Setback) -> HTTPClient {
        do {
            return try client.withLockedValue { client in
                let open =
                    try client
                    ?? HTTPClient(
                        HTTPClient.Configuration(
                            connectTimeout: configuration.connectTimeout,
                            idleTimeout: configuration.idleTimeout,
                            connectionsMaximum: configuration.concurrentMaximum
                        )
                    )
                client = open
                return open
            }
        } catch {
            throw Setback("\(error)")
        }
    }

    package func remove(_ id: UUID, of queue: QueueName) async {
        await ContentRemoval(content).remove(id, of: queue)
    }

    package func hasLost(_ id: UUID, content identifier: String, of queue: QueueName) async -> Bool {
        await ContentLookup(content).hasLost(id, identifier, of: queue)
    }

    package func removeAll(except kept: Set<UUID>) async {
        await ContentRemoval(content).removeAll(except: kept)
    }
}
