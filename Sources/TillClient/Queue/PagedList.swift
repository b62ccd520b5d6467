public import TillModel
import TillWire

/// A list that the daemon keeps, fetched page by page while it is read.
public struct PagedList<Element: Sendable>: AsyncSequence, Sendable {
    public typealias Failure = TillError

    /// Fetches the page of a token, which is nil for the first page; returns the next page's token, nil after the last.
    typealias Fetch = @Sendable (UInt64?) async throws(TillError) -> (elements: [Element], next: UInt64?)

    let fetch: Fetch

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(fetch: fetch)
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        private let fetch: Fetch
        private var token: UInt64?
        private var isAtEnd = false
        private var page: ArraySlice<Element> = []

        init(fetch: @escaping Fetch) {
            self.fetch = fetch
        }

        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(TillError) -> Element? {
            while page.isEmpty, !isAtEnd {
                let (elements, next) = try await fetch(token)
                page = elements[...]
                token = next
                isAtEnd = next == nil
            }
            return page.popFirst()
        }

        public mutating func next() async throws(TillError) -> Element? {
            try await next(isolation: #isolation)
        }
    }
}

/// Transactions of a queue.
public typealias TransactionList = PagedList<Transaction>

extension PaymentQueue {
    /// The queue's unfinished transactions as they are now, the oldest first.
    public var transactions: TransactionList {
        transactions(includesFinished: false)
    }

    /// All transactions that were ever in the queue, in the order of their last changes.
    public var allTransactions: TransactionList {
        transactions(includesFinished: true)
    }

    /// The products that the account owns or is subscribed to now.
    public var entitlements: PagedList<Entitlement> {
        PagedList { [self] (token) async throws(TillError) in
            let page = try await call(EntitlementsRequest(pageToken: token))
            return (page.entitlements, page.nextPageToken)
        }
    }

    /// The status of the account's subscriptions: one for each group that it ever subscribed to.
    public var subscriptions: PagedList<SubscriptionStatus> {
        PagedList { [self] (token) async throws(TillError) in
            let page = try await call(SubscriptionsRequest(pageToken: token))
            return (page.subscriptions, page.nextPageToken)
        }
    }

    private func transactions(includesFinished: Bool) -> TransactionList {
        PagedList { [self] (token) async throws(TillError) in
            let request = ListTransactionsRequest(pageToken: token, includesFinished: includesFinished)
            let page = try await call(request)
            return (page.transactions, page.nextPageToken)
        }
    }
}
