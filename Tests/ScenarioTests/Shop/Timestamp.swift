import Foundation

/// Parses dates in `till`'s format.
enum Timestamp {
    static func date(_ text: String) throws -> Date {
        try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text)
    }
}
