import NIOConcurrencyHelpers

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
