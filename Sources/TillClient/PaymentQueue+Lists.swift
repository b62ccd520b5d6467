public import TillModel
import TillWire

/// Transactions of a queue.
public typealias TransactionList = PagedList<Transaction>

extension PaymentQueue {
    /// The queue's unfinished transactions as they are now, the oldest first.
    public var transactions: TransactionList {
        transactions(includesFinished: false)
    }

    /// All transactions that the queue ever had, the oldest first.
    public var allTransactions: TransactionList {
        transactions(includesFinished: true)
    }

    /// What the account owns, or is subscribed to, now.
    public var entitlements: PagedList<Entitlement> {
        PagedList { [self] (token) async throws(TillError) in
            let page: EntitlementsResponse = try await call(.entitlements, EntitlementsRequest(pageToken: token))
            return (page.entitlements, page.nextPageToken)
        }
    }

    /// How the account's subscriptions stand, one for each group that it ever subscribed to.
    public var subscriptions: PagedList<SubscriptionStatus> {
        PagedList { [self] (token) async throws(TillError) in
            let page: SubscriptionsResponse = try await call(.subscriptions, SubscriptionsRequest(pageToken: token))
            return (page.subscriptions, page.nextPageToken)
        }
    }

    private func transactions(includesFinished: Bool) -> TransactionList {
        PagedList { [self] (token) async throws(TillError) in
            let request = ListTransactionsRequest(pageToken: token, includesFinished: includesFinished)
            let page: ListTransactionsResponse = try await call(.listTransactions, request)
            return (page.transactions, page.nextPageToken)
        }
    }
}
