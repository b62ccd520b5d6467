import Logging
import NIOCore
import TillEngine
import TillModel

/// One download at work, from the first attempt to the last. Used by one task.
final class DownloadRun {
    /// Received before it is written, and as much again while that is written: what a download needs of memory.
    static let batchBytesMaximum = 1024 * 1024

    let order: ContentOrder
    let files: DownloadFiles
    let configuration: DownloaderConfiguration
    let bandwidth: BandwidthLimit?
    private let progress: @Sendable (DownloadProgress) -> Void
    let watch: Stopwatch
    private var meter: ProgressMeter
    private(set) var receivedBytes: Int64 = 0
    private var backOff: BackOff

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
        backOff = configuration.backOff
    }

    /// Attempts until the download ends, or the task is cancelled.
    func outcome(places: Places, fetch: (DownloadRun) async throws -> Void) async -> DownloadOutcome {
        while true {
            do {
                let published = try await places.withPlace { try await attempt(fetch) }
                return .published(path: published.path, size: published.size)
            } catch let setback as Setback {
                let wait = backOff.wait(asked: setback.wait)
                log("The download is tried again", setback.reason, wait: wait)
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

    /// Tells of bytes that are on the disk, and keeps within the bandwidth.
    func received(_ total: Int64) async throws {
        let count = total - receivedBytes
        receivedBytes = total
        if count > 0 {
            backOff.reset()
        }
        if let update = meter.update(received: total, elapsed: watch.elapsed) {
            progress(update)
        }
        try await bandwidth?.pay(for: max(count, 0))
    }

    /// Measures anew, as what was here is gone, or was here before.
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
