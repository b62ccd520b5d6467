/// A short story of calls, and what Till relies on in their answers.
package struct Check: Sendable {
    /// For `--only`, and for programs.
    package let name: String
    /// What is true if nothing differs.
    package let sentence: String
    private let story: @Sendable (CheckRun) async throws -> Void

    init(_ name: String, _ sentence: String, _ story: @escaping @Sendable (CheckRun) async throws -> Void) {
        self.name = name
        self.sentence = sentence
        self.story = story
    }

    /// What differs; empty if nothing does.
    ///
    /// - Throws: `CancellationError` if the task was cancelled before the end.
    package func differences(at account: ConformanceAccount) async throws -> [Difference] {
        let run = CheckRun(account)
        do {
            try await story(run)
        } catch is CheckRun.Stop {
            // What stopped it is noted.
        } catch {
            run.note(name, expected: "the end of the check", got: "\(error)")
        }
        try Task.checkCancellation()
        return run.differences
    }

    /// Those of news precede the others, which make more news than Till follows by events.
    package static let all: [Check] =
        requests + news + idempotency + intents + lists + declines + authentication + renewals + pages + customers
        + refunds + disputes

    /// What no check can produce.
    package static let notCovered = [
        "what a payer does in a browser: paying or leaving Stripe's page, and 3-D Secure",
        "payments that take days, such as debits",
        "early fraud warnings, and what is done in the Dashboard",
        "webhooks",
        "the age at which an idempotency key is forgotten, and a key that is in use",
        "server errors, lost answers, and limits of rates",
        "the permissions that a restricted key needs",
        "live mode",
    ]
}
