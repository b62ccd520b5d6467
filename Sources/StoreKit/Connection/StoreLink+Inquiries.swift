import Dispatch
import TillClient
import TillModel

/// What callers block for, because StoreKit answers it at once.
extension StoreLink {
    /// Asks the daemon and blocks for its answer, for `limit` at most. After one wait without an answer it blocks nobody
    /// until the daemon has answered.
    func inquire(_ question: Inquiries.Question, within limit: Duration) {
        let (answered, isFirst) = withState { $0.inquiries.begin(question) }
        if isFirst {
            StoreTask.startOffPool { await self.ask(question) }
        }
        if answered?.wait(timeout: .now() + .milliseconds(Int(limit / .milliseconds(1)))) == .timedOut {
            withState { $0.inquiries.isAway = true }
        }
    }

    /// The answer is kept for while the daemon is away.
    private func ask(_ question: Inquiries.Question) async {
        var isAway = false
        do throws(TillError) {
            switch question {
            case .storefront:
                let storefront = try await client.storefront()
                withState { $0.storefront = storefront }
            case .canMakePayments:
                let canMakePayments = try await client.canMakePayments()
                withState { $0.canMakePayments = canMakePayments }
            }
        } catch {
            isAway = error.isRetryable
        }
        withState { $0.inquiries.end(question, isAway: isAway) }.forEach { $0.signal() }
    }
}
