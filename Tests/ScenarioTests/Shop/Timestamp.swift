import Foundation

/// Dates as `till` prints them.
enum Timestamp {
    static func date(_ text: String) throws -> Date {
        try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text)
    }
}
