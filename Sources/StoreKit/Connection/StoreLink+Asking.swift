import TillClient
import TillModel

extension DaemonConnection {
    /// Retries with backoff while the daemon is overloaded. All attempts together, with all calls that `ask` makes, end
    /// within one call timeout.
    func askWhileBusy<Answer: Sendable>(
        _ ask: () async throws(TillError) -> Answer
    ) async throws(TillError) -> Answer {
        try await client.inOneTimeout { (deadline) async throws(TillError) in
            var backoff = Backoff()
            var random = SystemRandomNumberGenerator()
            while true {
                do throws(TillError) {
                    return try await ask()
                } catch  where error.code == .resourceExhausted && .now < deadline && !Task.isCancelled {
                    backoff.failed()
                    try? await Task.sleep(for: min(backoff.delay(using: &random), deadline - .now))
                }
            }
        }
    }
}
