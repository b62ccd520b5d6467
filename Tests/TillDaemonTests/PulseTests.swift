import Testing
@testable import TillDaemon

@Suite struct PulseTests {
    /// What there is before a look.
    enum Look {
        /// A sign, and all is well otherwise.
        case sign
        /// No sign.
        case none
        /// A sign, but something is wrong.
        case wrong
    }

    struct Case: CustomTestStringConvertible {
        var testDescription: String
        var looks: [Look]
        /// The look at which it is over; nil when it goes on after the last.
        var end: Int?
    }

    static let cases = [
        Case(testDescription: "signs at every look", looks: Array(repeating: .sign, count: 20)),
        Case(testDescription: "it has not begun yet", looks: Array(repeating: .none, count: 20)),
        Case(testDescription: "no sign for a while", looks: [.sign, .none, .none, .none, .sign, .none, .none]),
        Case(testDescription: "no sign any more", looks: [.sign, .sign, .none, .none, .none, .none, .none], end: 6),
        Case(testDescription: "wrong from the beginning", looks: Array(repeating: .wrong, count: 20), end: 4),
        Case(testDescription: "wrong, then no sign", looks: [.sign, .wrong, .wrong, .none, .none], end: 5),
        Case(testDescription: "wrong now and then", looks: [.sign, .wrong, .wrong, .sign, .wrong, .wrong]),
    ]

    @Test(arguments: cases) func itIsOverOnceItHasBeenStillForTooLong(_ example: Case) {
        let pulse = Pulse()
        var count = 0
        var end: Int?
        pulse.watch {
            guard count < example.looks.count else {
                pulse.end()
                return true
            }
            if example.looks[count] != .none {
                pulse.beat()
            }
            count += 1
            return example.looks[count - 1] != .wrong
        } still: {
            end = count
        }
        #expect(end == example.end)
    }
}
