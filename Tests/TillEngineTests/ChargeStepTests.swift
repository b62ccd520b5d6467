import FoundationEssentials
import Testing
@testable import TillEngine

/// The next step for a charge whose outcome is unknown, by its beginning and the clock.
@Suite struct ChargeStepTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// Seconds from the charge's begin to now, by the clock.
        var age: TimeInterval
        var attempts = 1
        var status: ChargeStatus
        var isGivenUp: Bool
    }

    private static let hour: TimeInterval = 3600
    private static let year: TimeInterval = 365 * 86400

    @Test(arguments: [
        Case(testDescription: "not found, just begun", age: 1, status: .notFound, isGivenUp: false),
        Case(testDescription: "not found, after the deadline", age: 23 * hour, status: .notFound, isGivenUp: true),
        Case(testDescription: "not found, set back a little", age: -hour, status: .notFound, isGivenUp: false),
        Case(testDescription: "not found, set back by more", age: -hour - 1, status: .notFound, isGivenUp: true),
        Case(testDescription: "not found, set back by years", age: -10 * year, status: .notFound, isGivenUp: true),
        Case(testDescription: "not found, set forward by years", age: 10 * year, status: .notFound, isGivenUp: true),
        Case(
            testDescription: "not found, after a day of waits by a clock that was set back",
            age: hour,
            attempts: 1440,
            status: .notFound,
            isGivenUp: true
        ),
        Case(
            testDescription: "not reached, set back by years",
            age: -10 * year,
            status: .unreachable(reason: ""),
            isGivenUp: false
        ),
        Case(
            testDescription: "not reached, after a day of waits by a clock that was set back",
            age: -10 * year,
            attempts: 1440,
            status: .unreachable(reason: ""),
            isGivenUp: true
        ),
    ])
    func aClockThatIsSetNeverLeadsToASecondCharge(_ sample: Case) {
        let begin = Date(timeIntervalSince1970: 1_800_000_000)
        let charge = Call(createdAt: begin, attempts: sample.attempts)
        let now = begin.addingTimeInterval(sample.age)
        let step = ChargeStep.after(sample.status, of: charge, now: now, deadline: .seconds(23 * 3600))
        if case .settle(.abandoned) = step {
            #expect(sample.isGivenUp)
        } else {
            #expect(!sample.isGivenUp, "it continues with \(step)")
        }
    }

    private struct Call: ProviderCall {
        var createdAt: Date
        var attempts: Int
    }
}
