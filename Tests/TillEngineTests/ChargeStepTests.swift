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
            attempts: 1728,
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
            attempts: 1728,
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

    struct PreparedCase: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var age: TimeInterval
        var status: ChargeStatus
        /// The step's name.
        var step: String
    }

    /// A prepared charge can be withdrawn, and is not forgotten.
    @Test(arguments: [
        PreparedCase(testDescription: "ready, just begun", age: 1, status: .ready, step: "charge"),
        PreparedCase(testDescription: "ready, set back by years", age: -10 * year, status: .ready, step: "charge"),
        PreparedCase(testDescription: "ready, after the deadline", age: 23 * hour, status: .ready, step: "withdraw"),
        PreparedCase(testDescription: "not found", age: 1, status: .notFound, step: "abandon"),
        PreparedCase(testDescription: "not reached", age: 1, status: .unreachable(reason: ""), step: "retry"),
        PreparedCase(
            testDescription: "not reached, after the deadline",
            age: 23 * hour,
            status: .unreachable(reason: ""),
            step: "withdraw"
        ),
        PreparedCase(testDescription: "busy", age: 1, status: .settled(.busy(.seconds(3))), step: "wait"),
        PreparedCase(
            testDescription: "busy, after the deadline",
            age: 23 * hour,
            status: .settled(.busy(.seconds(3))),
            step: "withdraw"
        ),
        PreparedCase(
            testDescription: "charged, after the deadline",
            age: 23 * hour,
            status: .settled(.succeeded(reference: "r")),
            step: "succeed"
        ),
    ])
    func aPreparedChargeIsWithdrawnInsteadOfGivenUp(_ sample: PreparedCase) {
        let begin = Date(timeIntervalSince1970: 1_800_000_000)
        let charge = Call(createdAt: begin, attempts: 1, isForgettable: false)
        let now = begin.addingTimeInterval(sample.age)
        let step = ChargeStep.after(sample.status, of: charge, now: now, deadline: .seconds(23 * 3600))
        let name =
            switch step {
            case .charge: "charge"
            case .withdraw: "withdraw"
            case .retry: "retry"
            case .wait(_, let date): date == now.addingTimeInterval(3) ? "wait" : "wait until \(date)"
            case .settle(.abandoned): "abandon"
            case .settle(.succeeded): "succeed"
            case .settle(.declined): "decline"
            }
        #expect(name == sample.step)
    }

    @Test(arguments: [(pause: Duration.zero, seconds: 1.0), (.seconds(7), 7), (.seconds(3600), 50), (.seconds(-5), 1)])
    func aBusyProviderIsAskedAgainWithinFiftySeconds(pause: Duration, seconds: Double) {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let call = Call(createdAt: now, attempts: 0)
        let answers = [
            ChargeStep.after(Preparation.busy(pause), of: call, now: now, deadline: .seconds(300)),
            ChargeStep.after(ChargeOutcome.busy(pause), of: call, now: now, deadline: .seconds(300)),
        ]
        #expect(
            answers == Array(repeating: .wait(for: .busyProvider, until: now.addingTimeInterval(seconds)), count: 2)
        )
    }

    /// Somebody waits for a payer who has just been asked, and nobody for one who was asked hours ago.
    @Test(arguments: [(age: 0.0, seconds: 2.0), (120, 2), (600, 10), (7200, 50)])
    func theLongerAPayerTakesTheRarerAreQuestions(age: Double, seconds: Double) {
        let begin = Date(timeIntervalSince1970: 1_800_000_000)
        let call = Call(createdAt: begin, attempts: 0, isForgettable: false)
        let now = begin.addingTimeInterval(age)
        let step = ChargeStep.after(ChargeOutcome.payerAction, of: call, now: now, deadline: .seconds(23 * 3600))
        #expect(step == .wait(for: .payer, until: now.addingTimeInterval(seconds)))
    }

    /// Otherwise a payer who never acts would be waited for until the clock is right again, perhaps for years.
    @Test(arguments: [(age: -3600.0, isWaitedFor: true), (-3601, false), (-10 * 365 * 24 * hour, false)])
    func aPayerIsNotWaitedForByAClockThatWasSetBack(age: Double, isWaitedFor: Bool) {
        let begin = Date(timeIntervalSince1970: 1_800_000_000)
        let call = Call(createdAt: begin, attempts: 0, isForgettable: false)
        let now = begin.addingTimeInterval(age)
        let step = ChargeStep.after(ChargeOutcome.payerAction, of: call, now: now, deadline: .seconds(23 * 3600))
        #expect(
            step
                == (isWaitedFor
                    ? .wait(for: .payer, until: now.addingTimeInterval(2))
                    : .withdraw(reason: "the clock was set back"))
        )
    }

    /// Money on its way arrives or not, whatever the deadline of calls.
    @Test(arguments: [0, 23 * hour, 10 * 24 * hour]) func moneyOnItsWayIsWaitedFor(age: Double) {
        let begin = Date(timeIntervalSince1970: 1_800_000_000)
        let now = begin.addingTimeInterval(age)
        let call = Call(createdAt: begin, attempts: 0, isForgettable: false)
        let wait = ChargeStep.wait(for: .settlement, until: now.addingTimeInterval(50))
        #expect(ChargeStep.after(ChargeOutcome.pending, of: call, now: now, deadline: .seconds(23 * 3600)) == wait)
        #expect(ChargeStep.after(withdrawal: .settled(.pending), now: now) == wait)
    }

    private struct Call: ProviderCall {
        var createdAt: Date
        var dueAt = Date.distantPast
        var attempts: Int
        var isForgettable = true
    }
}
