import FoundationEssentials
import TillModel

/// When a renewal that was not paid for is tried again.
enum BillingRetry {
    /// Attempts after the first one, evenly spread over the retry period.
    static let attemptsMaximum = 8
    /// In the place of a number of attempts: none is made before an operator says what became of the last one.
    static let underReview = 1_000_000

    /// When the attempt after so many failed ones is made, counting from the end of the unpaid period's predecessor;
    /// nil when there is none.
    static func date(afterAttempts failed: Int, from start: Date, to end: Date) -> Date? {
        guard (1...attemptsMaximum).contains(failed) else {
            return nil
        }
        let step = end.timeIntervalSince(start) / Double(attemptsMaximum + 1)
        return start.addingTimeInterval(step * Double(failed)).roundedToMilliseconds
    }
}
