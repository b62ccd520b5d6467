import FoundationEssentials
import Glibc
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

extension DownloadRun {
    /// Copies a local file.
    func fetchFile() async throws {
        let (file, validator) = try open()
        if await files.validator() == validator {
            guard lseek(file.number, off_t(receivedBytes), SEEK_SET) == receivedBytes else {
                throw DownloadError(.unavailable, "The file cannot be read.")
            }
        } else {
            try await files.beginAnew(validator: validator)
            begin(at: 0)
        }
        while true {
            let step = try await files.copy(from: file, atMost: batchBytes)
            try await received(step.received)
            try Task.checkCancellation()
            guard !step.isEnd else { break }
        }
        guard receivedBytes == order.source.content.length else {
            throw DownloadError.otherLength(receivedBytes, than: order.source.content.length)
        }
    }

    /// - Returns: The file, and a validator that changes when the file changes.
    private func open() throws(DownloadError) -> (Descriptor, validator: String) {
        let path = order.source.url.path
        let number = unsafe Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else {
            throw DownloadError(.unavailable, "The file cannot be opened: \(unsafe String(cString: strerror(errno))).")
        }
        let file = Descriptor(owning: number)
        guard let status = file.status(), status.isRegularFile else {
            throw DownloadError(.unavailable, "The content's source is not a regular file.")
        }
        guard status.st_size == order.source.content.length else {
            throw .otherLength(Int64(status.st_size), than: order.source.content.length)
        }
        let times =
            "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) \(status.st_ctim.tv_sec).\(status.st_ctim.tv_nsec)"
        return (file, "\(status.st_dev) \(status.st_ino) \(times)")
    }
}

/// Consecutive received bytes, to be written together.
struct ReceivedBatch: Sendable {
    /// The maximum number of chunks, because even small chunks use memory.
    static let chunksMaximum = 128

    private(set) var chunks: [ByteBuffer] = []
    private var byteCount = 0

    mutating func append(_ chunk: ByteBuffer) {
        chunks.append(chunk)
        byteCount += chunk.readableBytes
    }

    func isFull(at bytes: Int) -> Bool {
        byteCount >= bytes || chunks.count >= Self.chunksMaximum
    }
}

/// An attempt failed, but a retry may succeed.
struct Setback: Error, Hashable, Sendable {
    /// The reason, for the log.
    var reason: String
    /// The delay that the server requested.
    var wait: Duration?

    init(_ reason: String, wait: Duration? = nil) {
        self.reason = reason
        self.wait = wait
    }
}

/// An exponential backoff: the delay doubles with each retry, until bytes are received again.
package struct Backoff: Hashable, Sendable {
    package var first: Duration = .seconds(1)
    package var maximum: Duration = .seconds(60)
    private var next: Duration?

    package init(first: Duration = .seconds(1), maximum: Duration = .seconds(60)) {
        self.first = first
        self.maximum = maximum
    }

    package mutating func reset() {
        next = nil
    }

    /// The delay before the next attempt.
    ///
    /// - Parameter asked: The delay that the server requested; it is respected up to the maximum.
    package mutating func wait(asked: Duration? = nil) -> Duration {
        let wait = min(next ?? first, maximum)
        next = min(wait * 2, maximum)
        return asked.map { min(max($0, wait), maximum) } ?? wait
    }
}
