import NIOConcurrencyHelpers
package import TillEngine

/// Decides when to report progress, and estimates the remaining time.
package struct ProgressMeter: Sendable {
    /// The minimum time between two reports: at most ten per second.
    package static let interval: Duration = .milliseconds(100)
    /// The time before which the rate is not reliable.
    package static let settlingTime: Duration = .seconds(1)
    /// The time after which an old rate has a weight of about a third.
    private static let smoothingSeconds = 5.0

    private let length: Int64
    private var reportedAt: Duration?
    private var reportedBytes: Int64
    private let startedAt: Duration
    /// The rate in bytes per second; nil before the second report.
    private var rate: Double?

    /// - Parameters:
    ///   - received: The bytes received earlier, which do not count for the rate.
    ///   - elapsed: The elapsed time by the same stopwatch as for updates.
    package init(length: Int64, received: Int64, elapsed: Duration) {
        self.length = length
        reportedBytes = received
        startedAt = elapsed
    }

    /// The progress to report; nil if it is too early.
    package mutating func update(received: Int64, elapsed: Duration) -> DownloadProgress? {
        let since = elapsed - (reportedAt ?? startedAt)
        guard reportedAt == nil || since >= Self.interval else {
            return nil
        }
        measure(received - reportedBytes, in: since / .seconds(1), age: (elapsed - startedAt) / .seconds(1))
        reportedAt = elapsed
        reportedBytes = received
        return DownloadProgress(receivedBytes: received, timeRemaining: timeRemaining(elapsed))
    }

    /// Initially the rate is the average since the start, because the first bytes arrive at once.
    private mutating func measure(_ bytes: Int64, in seconds: Double, age: Double) {
        guard seconds > 0, age > 0 else { return }
        let latest = max(Double(bytes), 0) / seconds
        let weight = min(seconds / min(Self.smoothingSeconds, age), 1)
        rate = rate.map { $0 + (latest - $0) * weight } ?? latest
    }

    private func timeRemaining(_ elapsed: Duration) -> Duration? {
        guard let rate, rate >= 1, elapsed - startedAt >= Self.settlingTime else {
            return nil
        }
        return .seconds(Double(max(length - reportedBytes, 0)) / rate)
    }
}

/// Limits the bandwidth of all downloads together: each waits until its received bytes are within the limit.
package final class BandwidthLimit: Sendable {
    /// The maximum unused time that is credited, so that a pause is not followed by a burst.
    private static let burst: Duration = .milliseconds(100)

    private let bytesPerSecond: Int64
    private let clock: any Clock<Duration>
    private let watch: Stopwatch
    /// When all received bytes are within the limit.
    private let paidAt = NIOLockedValueBox(Duration.zero)

    /// The number of bytes to receive at a time, so that progress stays smooth.
    package var stride: Int { Int(clamping: max(bytesPerSecond / 10, 1)) }

    package init(bytesPerSecond: Int64, clock: any Clock<Duration>) {
        self.bytesPerSecond = max(bytesPerSecond, DownloaderConfiguration.bandwidthMinimum)
        self.clock = clock
        watch = Stopwatch(clock)
    }

    /// Waits until the bytes, which have already been received, are within the limit.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    package func pay(for bytes: Int64) async throws {
        let price = Duration.seconds(Double(bytes) / Double(bytesPerSecond))
        let now = watch.elapsed
        let due = paidAt.withLockedValue { paidAt in
            paidAt = max(paidAt, now - Self.burst) + price
            return paidAt
        }
        if due > now {
            try await clock.sleep(for: due - now)
        }
    }
}

/// Measures the time since its creation, by any clock.
struct Stopwatch: Sendable {
    private let read: @Sendable () -> Duration

    var elapsed: Duration { read() }

    init(_ clock: any Clock<Duration>) {
        read = Self.reader(clock)
    }

    private static func reader<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}
