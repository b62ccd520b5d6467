import NIOConcurrencyHelpers

/// Spreads bytes over time: who took some waits until they are paid for. One for all downloads.
package final class BandwidthLimit: Sendable {
    /// Unused time counts up to this, so that a pause is not followed by a flood.
    private static let burst: Duration = .milliseconds(100)

    private let bytesPerSecond: Int64
    private let clock: any Clock<Duration>
    private let watch: Stopwatch
    /// When all that was taken is paid for.
    private let paidAt = NIOLockedValueBox(Duration.zero)

    /// What to take at once, so that progress stays smooth.
    package var stride: Int { Int(clamping: max(bytesPerSecond / 10, 1)) }

    package init(bytesPerSecond: Int64, clock: any Clock<Duration>) {
        self.bytesPerSecond = max(bytesPerSecond, DownloaderConfiguration.bandwidthMinimum)
        self.clock = clock
        watch = Stopwatch(clock)
    }

    /// Waits until the bytes, which are here already, are within the limit.
    ///
    /// - Throws: When the task is cancelled.
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
