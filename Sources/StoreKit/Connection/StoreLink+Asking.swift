import TillClient
import TillModel

extension StoreLink {
    /// Asks again while too much is asked at once, for as long as a call may take.
    func askWhileBusy<Answer>(
        _ ask: () async throws(TillError) -> Answer
    ) async throws(TillError) -> Answer {
        let deadline = ContinuousClock.now + client.configuration.callTimeout
        var backoff = Backoff()
        var random = SystemRandomNumberGenerator()
        while true {
            do {
                return try await ask()
            } catch  where error.code == .resourceExhausted && .now < deadline && !Task.isCancelled {
                backoff.failed()
                try? await Task.sleep(for: backoff.delay(using: &random))
            }
        }
    }
}
