package import TillEngine

/// Decides when progress is worth telling, and how long the rest will take.
package struct ProgressMeter: Sendable {
    /// Between two reports: at most ten a second.
    package static let interval: Duration = .milliseconds(100)
    /// Before it, the rate says little.
    package static let settlingTime: Duration = .seconds(1)
    /// The time after which an old rate counts for about a third.
    private static let smoothingSeconds = 5.0

    private let length: Int64
    private var reportedAt: Duration?
    private var reportedBytes: Int64
    private let startedAt: Duration
    /// Bytes a second; nil until two reports.
    private var rate: Double?

    /// - Parameters:
    ///   - received: What is here already, which says nothing of the rate.
    ///   - elapsed: By the same watch as the updates'.
    package init(length: Int64, received: Int64, elapsed: Duration) {
        self.length = length
        reportedBytes = received
        startedAt = elapsed
    }

    /// What to tell, if it is time to.
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

    /// While it is young the rate is the average since the start: the first bytes come in no time.
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
