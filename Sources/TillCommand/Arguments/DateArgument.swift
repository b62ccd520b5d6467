import ArgumentParser
import FoundationEssentials

/// A date as people write it: `2026-11-01`, the beginning of that day in UTC, or `2026-11-01T08:30:00Z`.
struct DateArgument: Hashable, Sendable {
    private static let styles = [Date.ISO8601FormatStyle().year().month().day(), Date.ISO8601FormatStyle()]

    let date: Date

    /// - Throws: `ValidationError` with advice on the format.
    init(parsing text: String) throws {
        // The parser takes February 30 for March 2, so that only what is written the same way is a date.
        let dates = Self.styles.compactMap { try? $0.parse(text) }
        guard let date = dates.first(where: { date in Self.styles.contains { $0.format(date) == text } }) else {
            throw ValidationError("use a date such as 2026-11-01 or 2026-11-01T08:30:00Z, in UTC")
        }
        self.date = date
    }
}
