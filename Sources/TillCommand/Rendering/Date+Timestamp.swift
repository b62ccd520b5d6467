import FoundationEssentials
import TillModel

extension Date {
    /// ISO 8601 in UTC, with milliseconds: `2026-03-01T09:30:00.250Z`.
    var timestamp: String {
        // Half a millisecond less than the next one, so that the binary fraction is not cut to the one before.
        let date = Date(timeIntervalSince1970: (timeIntervalSince1970 * 1000).rounded() / 1000 + 0.0001)
        return date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
