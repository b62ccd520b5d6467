public import TillModel
import TillWire

extension PaymentQueue {
    /// The queue's unfinished transactions as they are now, the oldest first.
    public var transactions: TransactionList {
        TransactionList(queue: self, includesFinished: false)
    }

    /// All transactions that the queue ever had, the oldest first.
    public var allTransactions: TransactionList {
        TransactionList(queue: self, includesFinished: true)
    }
}

/// Transactions of a queue, fetched page by page while they are read.
public struct TransactionList: AsyncSequence, Sendable {
    public typealias Element = Transaction
    public typealias Failure = TillError

    let queue: PaymentQueue
    let includesFinished: Bool

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(queue: queue, request: ListTransactionsRequest(includesFinished: includesFinished))
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        private let queue: PaymentQueue
        /// What to ask for next; nil after the last page.
        private var request: ListTransactionsRequest?
        private var page: ArraySlice<Transaction> = []

        init(queue: PaymentQueue, request: ListTransactionsRequest) {
            self.queue = queue
            self.request = request
        }

        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(TillError) -> Transaction? {
            while page.isEmpty {
                guard var asked = request else {
                    return nil
                }
                let response: ListTransactionsResponse = try await queue.call(.listTransactions, asked)
                page = response.transactions[...]
                asked.pageToken = response.nextPageToken
                request = response.nextPageToken == nil ? nil : asked
            }
            return page.popFirst()
        }

        public mutating func next() async throws(TillError) -> Transaction? {
            try await next(isolation: #isolation)
        }
    }
}
