import NIOConcurrencyHelpers
import StripeStandIn
import TillEngine
import TillStripe

/// One run of a check: it makes the calls, and notes what differs.
package final class CheckRun: Sendable {
    /// Nothing more can be checked, because a call did not give what the next one needs. The difference is noted.
    struct Stop: Error {}

    let account: ConformanceAccount
    private let noted = NIOLockedValueBox<[Difference]>([])

    /// How often a call is repeated that Stripe was too busy for.
    private static let attemptsMaximum = 6
    /// Between two looks at something that Stripe does by itself.
    private static let interval = Duration.seconds(2)

    init(_ account: ConformanceAccount) {
        self.account = account
    }

    var differences: [Difference] {
        noted.withLockedValue(\.self)
    }

    func note(_ what: String, expected: String, got: String) {
        noted.withLockedValue { $0.append(Difference(what, expected: expected, got: got)) }
    }

    func get(_ endpoint: String, _ id: String = "", _ fields: [(String, String)] = []) async throws -> APIAnswer {
        try await send(.get(endpoint, id, fields))
    }

    /// - Parameters:
    ///   - key: The idempotency key.
    ///   - secret: Another key of the API than the run's.
    func post(
        _ endpoint: String,
        _ id: String = "",
        _ fields: [(String, String)] = [],
        key: String? = nil,
        as secret: StripeKey? = nil
    ) async throws -> APIAnswer {
        var call = StripeCall.post(endpoint, id, fields)
        call.key = key
        return try await send(call, as: secret)
    }

    private func send(_ call: StripeCall, as secret: StripeKey? = nil) async throws -> APIAnswer {
        var attempt = 1
        while true {
            let answer: StripeAnswer
            do throws(TillStripe.StripeFailure) {
                answer = try await account.api.answer(to: call, key: secret)
            } catch {
                note(call.endpoint, expected: "an answer", got: error.reason)
                throw Stop()
            }
            guard answer.status == 429, attempt < Self.attemptsMaximum else {
                return APIAnswer(call, answer)
            }
            attempt += 1
            try await account.time.sleep(for: answer.pause)
        }
    }
}

extension CheckRun {
    /// Expects a status, and fields by their paths.
    @discardableResult
    func expect(
        _ answer: APIAnswer,
        _ status: Int = 200,
        _ fields: KeyValuePairs<String, Expectation> = [:]
    ) -> Bool {
        guard answer.status == status else {
            note("\(answer.call): status", expected: "\(status)", got: answer.summary)
            return false
        }
        let wrong = fields.filter { path, expectation in !expectation.accepts(answer[path]) }
        for (path, expectation) in wrong {
            note("\(answer.call): \(path)", expected: "\(expectation)", got: answer[path].text)
        }
        return wrong.isEmpty
    }

    func expect<Value: Equatable>(_ what: String, _ value: Value?, _ expected: Value?) {
        if value != expected {
            note(what, expected: expected.map { "\($0)" } ?? "nothing", got: value.map { "\($0)" } ?? "nothing")
        }
    }

    /// The id of an object that was made.
    ///
    /// - Throws: ``Stop`` if there is none, or if it is not a test object.
    func id(of answer: APIAnswer) throws -> String {
        guard expect(answer, 200, ["id": .present]), !answer.id.isEmpty else {
            throw Stop()
        }
        guard answer["livemode"] != true else {
            note("\(answer.call): livemode", expected: "false", got: "true")
            throw Stop()
        }
        return answer.id
    }

    /// Expects fields that get their values later, because Stripe changes an object by itself.
    func eventually(
        _ endpoint: String,
        _ id: String,
        _ expected: KeyValuePairs<String, Expectation>
    ) async throws {
        let what = expected.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        try await eventually(endpoint, id, [], what) { answer in
            expected.allSatisfy { path, expectation in expectation.accepts(answer[path]) }
        }
    }

    /// Expects an answer for which a condition holds later.
    ///
    /// - Returns: The answer for which it held.
    @discardableResult
    func eventually(
        _ endpoint: String,
        _ id: String,
        _ fields: [(String, String)],
        _ what: String,
        _ isTrue: (APIAnswer) -> Bool
    ) async throws -> APIAnswer {
        try await eventually("GET \(endpoint)", what) { last in
            let answer = try await self.get(endpoint, id, fields)
            last = answer["status"].string ?? answer.summary
            return answer.status == 200 && isTrue(answer) ? answer : nil
        }
    }

    /// Looks for something until it is found.
    ///
    /// - Parameter look: Returns nil if it is not there yet, and says what was there instead.
    /// - Throws: ``Stop`` if it is not found in time, which is noted.
    func eventually<Value>(
        _ what: String,
        _ expected: String,
        _ look: (_ last: inout String) async throws -> Value?
    ) async throws -> Value {
        var waited = Duration.zero
        var last = "nothing"
        while true {
            if let found = try await look(&last) {
                return found
            }
            guard waited < account.patience else {
                let seconds = account.patience.components.seconds
                note(what, expected: expected, got: "not seen within \(seconds) s; the last was \(last)")
                throw Stop()
            }
            try await account.time.sleep(for: Self.interval)
            waited += Self.interval
        }
    }
}
