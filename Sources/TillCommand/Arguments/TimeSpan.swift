import ArgumentParser
import FoundationEssentials
import TillModel
import TillOutput

/// A length of time as people write it: `10s`, `5m`, `3h`, `30d`, `2w`, or a combination such as `1d12h`.
struct TimeSpan: Hashable, Sendable {
    /// The longest time span that can be parsed: the daemon's limit for one advance of the store's clock.
    static let secondsMaximum = ClockReading.advanceMaximum.components.seconds

    let duration: Duration

    init(_ duration: Duration) {
        self.duration = duration
    }

    /// - Throws: `ValidationError` with advice on the format.
    init(parsing text: String) throws {
        var rest = text[...]
        var total: Int64 = 0
        repeat {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            let unit = rest.dropFirst(digits.count).prefix(while: \.isLetter)
            guard let length = Duration.spanUnits.first(where: { $0.symbol == unit }) else {
                throw Self.refusal(unit: unit)
            }
            guard !digits.isEmpty else {
                throw ValidationError(Self.rule)
            }
            rest = rest.dropFirst(digits.count + unit.count)
            total = try Self.sum(total, Int64(digits), length.seconds)
        } while !rest.isEmpty
        guard total > 0 else {
            throw ValidationError("a time span must be positive")
        }
        duration = .seconds(total)
    }

    private static let varying: Set = ["mo", "month", "months", "y", "yr", "year", "years"]
    private static let rule = "use a time span such as 10s, 5m, 3h, 30d, 2w or 1d12h"

    private static func refusal(unit: Substring) -> ValidationError {
        guard unit == "M" || varying.contains(unit.lowercased()) else {
            return ValidationError(rule)
        }
        return ValidationError("months and years vary in length; use days, for example 30d or 365d")
    }

    private static func sum(_ total: Int64, _ number: Int64?, _ seconds: Int64) throws -> Int64 {
        guard let number, number <= secondsMaximum / seconds, total + number * seconds <= secondsMaximum else {
            throw ValidationError("the longest time span is \(TimeSpan(.seconds(secondsMaximum)))")
        }
        return total + number * seconds
    }
}

extension TimeSpan: CustomStringConvertible {
    var description: String {
        duration.spanText
    }
}
