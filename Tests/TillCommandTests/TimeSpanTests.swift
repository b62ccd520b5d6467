import ArgumentParser
import Testing
@testable import TillCommand
import TillModel

@Suite struct TimeSpanTests {
    @Test(arguments: [
        (text: "10s", seconds: 10), ("5m", 300), ("3h", 10_800), ("30d", 2_592_000), ("2w", 1_209_600),
        ("1d12h", 129_600), ("1w1d1h1m1s", 694_861), ("090m", 5400), ("7320d", 632_448_000),
    ])
    func spansAreNumbersWithUnits(text: String, seconds: Int) throws {
        #expect(try TimeSpan(parsing: text).duration == .seconds(seconds))
    }

    @Test(arguments: [
        "", "30", "d", "1.5h", "-1d", "1d 2h", "1d12", "ten s", "1x", "٣d", "1D",
    ])
    func otherTextIsRefusedWithTheFormat(text: String) {
        expectRefusal(text, "use a time span such as 10s, 5m, 3h, 30d, 2w or 1d12h")
    }

    @Test(arguments: ["1mo", "2months", "1M", "1y", "1Y", "3years", "1d1month"])
    func monthsAndYearsAreRefusedWithTheReason(text: String) {
        expectRefusal(text, "months and years vary in length; use days, for example 30d or 365d")
    }

    @Test(arguments: ["7321d", "7320d1s", "36500d", "9223372036854775807w", "99999999999999999999s"])
    func aSpanIsLimitedToTheDaemonsLongestAdvance(text: String) {
        expectRefusal(text, "the longest time span is 7320d")
        #expect(ClockReading.advanceMaximum == .seconds(7320 * 86400))
    }

    @Test(arguments: ["0s", "0d0h"])
    func anEmptySpanIsRefused(text: String) {
        expectRefusal(text, "a time span must be positive")
    }

    @Test(arguments: [
        (duration: Duration.zero, text: "0s"), (.milliseconds(999), "0s"), (.seconds(61), "1m1s"),
        (.seconds(86400 * 30), "30d"), (.seconds(129_600), "1d12h"), (.seconds(-60), "-1m"),
    ])
    func aDurationIsWrittenAsASpan(duration: Duration, text: String) {
        #expect("\(TimeSpan(duration))" == text)
    }

    private func expectRefusal(_ text: String, _ message: String) {
        let error = #expect(throws: ValidationError.self) { try TimeSpan(parsing: text) }
        #expect(error?.message == message, "for \(text)")
    }
}
