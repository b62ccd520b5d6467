import Logging
import NIOCore
import TillEngine
import TillModel

/// A running download, from the first attempt to the last. Used by one task.
final class DownloadRun {
    /// The maximum size of a batch. One batch is received while the previous one is written, so a download buffers up
    /// to two batches.
    static let batchBytesMaximum = 1024 * 1024

    let order: ContentOrder
    let files: DownloadFiles
    let configuration: DownloaderConfiguration
    let bandwidth: BandwidthLimit?
    private let progress: @Sendable (DownloadProgress) -> Void
    let watch: Stopwatch
    private var meter: ProgressMeter
    private(set) var receivedBytes: Int64 = 0
    private var backoff: Backoff

    var batchBytes: Int { min(bandwidth?.stride ?? .max, Self.batchBytesMaximum) }

    init(
        _ order: ContentOrder,
        files: DownloadFiles,
        configuration: DownloaderConfiguration,
        bandwidth: BandwidthLimit?,
        progress: @escaping @Sendable (DownloadProgress) -> Void
    ) {
        self.order = order
        self.files = files
        self.configuration = configuration
        self.bandwidth = bandwidth
        self.progress = progress
        watch = Stopwatch(configuration.clock)
        meter = ProgressMeter(length: order.source.content.length, received: 0, elapsed: .zero)
        backoff = configuration.backoff
    }

    /// Retries until the download ends or the task is cancelled.
    func outcome(semaphore: AsyncSemaphore, fetch: (DownloadRun) async throws -> Void) async -> DownloadOutcome {
        while true {
            do {
                let published = try await semaphore.withPermit { try await attempt(fetch) }
                return .published(path: published.path, size: published.size)
            } catch let setback as Setback {
                let wait = backoff.wait(asked: setback.wait)
                log("The download is retried", setback.reason, wait: wait)
                guard await pause(wait) else { return await stopped() }
            } catch is CancellationError {
                return await stopped()
            } catch {
                await files.discard()
                let failure = error as? DownloadError ?? DownloadError(.storage, "The content cannot be stored.")
                log("The download failed", failure.message)
                return .failed(failure)
            }
        }
    }

    /// Reports the bytes that are on disk, and waits to stay within the bandwidth.
    func received(_ total: Int64) async throws {
        let count = total - receivedBytes
        receivedBytes = total
        if count > 0 {
            backoff.reset()
        }
        if let update = meter.update(received: total, elapsed: watch.elapsed) {
            progress(update)
        }
        try await bandwidth?.pay(for: max(count, 0))
    }

    /// Restarts the measurement from an offset, after earlier bytes were discarded or found.
    func begin(at offset: Int64) {
        receivedBytes = offset
        meter = ProgressMeter(length: order.source.content.length, received: offset, elapsed: watch.elapsed)
    }

    private func attempt(_ fetch: (DownloadRun) async throws -> Void) async throws -> DownloadFiles.Published {
        if let published = try await files.published() {
            await files.discard()
            return published
        }
        try await files.prepare()
        begin(at: await files.receivedBytes)
        if receivedBytes < order.source.content.length {
            try await fetch(self)
        }
        return try await files.finish()
    }

    private func pause(_ wait: Duration) async -> Bool {
        do {
            try await configuration.clock.sleep(for: wait)
            return true
        } catch {
            return false
        }
    }

    private func stopped() async -> DownloadOutcome {
        .stopped(receivedBytes: min(await files.keptBytes, order.source.content.length))
    }

    private func log(_ message: Logger.Message, _ reason: String, wait: Duration? = nil) {
        var metadata: Logger.Metadata = ["download.id": "\(order.id)", "download.reason": "\(reason)"]
        metadata["download.wait"] = wait.map { "\($0)" }
        configuration.logger.debug(message, metadata: metadata)
    }
}
