import Testing
@testable import TillDaemon

@Suite struct PulseTests {
    /// The state at a check.
    enum Check {
        /// There was a beat, and the test succeeds.
        case beat
        /// There was no beat.
        case none
        /// There was a beat, but the test fails.
        case failed
    }

    struct Case: CustomTestStringConvertible {
        var testDescription: String
        var checks: [Check]
        /// The check that reports the hang; nil if no check does.
        var end: Int?
    }

    static let cases = [
        Case(testDescription: "a beat at every check", checks: Array(repeating: .beat, count: 20)),
        Case(testDescription: "no first beat yet", checks: Array(repeating: .none, count: 20)),
        Case(testDescription: "no beat for a while", checks: [.beat, .none, .none, .none, .beat, .none, .none]),
        Case(testDescription: "no beat any more", checks: [.beat, .beat, .none, .none, .none, .none, .none], end: 6),
        Case(testDescription: "failed from the beginning", checks: Array(repeating: .failed, count: 20), end: 4),
        Case(testDescription: "failed, then no beat", checks: [.beat, .failed, .failed, .none, .none], end: 5),
        Case(testDescription: "failed now and then", checks: [.beat, .failed, .failed, .beat, .failed, .failed]),
    ]

    @Test(arguments: cases) func tooManyFailedChecksInARowAreAHang(_ example: Case) {
        let pulse = Pulse()
        var count = 0
        var end: Int?
        pulse.watch {
            guard count < example.checks.count else {
                pulse.end()
                return true
            }
            if example.checks[count] != .none {
                pulse.beat()
            }
            count += 1
            return example.checks[count - 1] != .failed
        } hang: {
            end = count
        }
        #expect(end == example.end)
    }
}
