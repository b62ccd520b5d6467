import TillClient
import TillModel

extension StoreLink {
    /// Asks again while the daemon has too much to do. All of it, with all the calls that `ask` makes, ends within the
    /// time of one call.
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
