import Dispatch
import TillClient
import TillModel

/// The queries that callers block for, because StoreKit answers them synchronously.
extension DaemonConnection {
    /// Queries the daemon and blocks until it answers, for at most `limit`. After one timeout, callers do not block
    /// until the daemon has answered again.
    func query(_ query: BlockingQueries.Query, within limit: Duration) {
        let (answered, isFirst) = withState { $0.blockingQueries.begin(query) }
        if isFirst {
            StoreTask.startOffPool { await self.ask(query) }
        }
        if answered?.wait(timeout: .now() + .milliseconds(Int(limit / .milliseconds(1)))) == .timedOut {
            withState { $0.blockingQueries.isAway = true }
        }
    }

    /// Stores the answer for the time when the daemon is unavailable.
    private func ask(_ query: BlockingQueries.Query) async {
        var isAway = false
        do throws(TillError) {
            switch query {
            case .storefront:
                let storefront = try await client.storefront()
                withState { $0.storefront = storefront }
            case .canMakePayments:
                let canMakePayments = try await client.canMakePayments()
                withState { $0.canMakePayments = canMakePayments }
            }
        } catch {
            isAway = error.isWorthRepeating
        }
        withState { $0.blockingQueries.end(query, isAway: isAway) }.forEach { $0.signal() }
    }
}
