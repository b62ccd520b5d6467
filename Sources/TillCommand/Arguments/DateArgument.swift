import ArgumentParser
import FoundationEssentials

/// A date as people write it: `2026-11-01`, the beginning of that day in UTC, or `2026-11-01T08:30:00Z`.
struct DateArgument: ExpressibleByArgument, Sendable {
    static let help = "as 2026-11-01 (UTC) or 2026-11-01T08:30:00Z"

    private static let styles = [Date.ISO8601FormatStyle().year().month().day(), Date.ISO8601FormatStyle()]

    let date: Date

    init?(argument: String) {
        // The parser takes February 30 for March 2, so that only what is written the same way is a date.
        let dates = Self.styles.compactMap { try? $0.parse(argument) }
        guard let date = dates.first(where: { date in Self.styles.contains { $0.format(date) == argument } }) else {
            return nil
        }
        self.date = date
    }
}
