public import FoundationEssentials
public import TillModel
import TillWire

/// The operator API for the store: inspect transactions, decide, refund, and control the simulated store.
///
/// Every change carries a reason of 1 to 256 bytes, which is recorded with the time and the user. A change that fails
/// with `unavailable` or `deadlineExceeded` may have happened, and is not retried: check before you repeat it. A refund
/// has an identity, and is retried.
public final class TillOperator: Sendable {
    public let configuration: ClientConfiguration
    private let connector: DaemonConnector

    /// - Parameter configuration: Its `application` names the operator's tool.
    public init(_ configuration: ClientConfiguration) {
        self.configuration = configuration
        connector = DaemonConnector(configuration)
    }

    /// Ends the connection. Calls made afterwards fail.
    public func close() async {
        await connector.close()
    }

    /// Makes an idempotent call, and retries while the daemon cannot be reached.
    func read<Request: Call>(_ request: Request) async throws(TillError) -> Request.Response {
        try await connector.call(request)
    }

    /// Makes a call that is not idempotent, and so not retried.
    func change<Request: Call>(_ request: Request) async throws(TillError) -> Request.Response {
        try await connector.call(request, isRetried: false)
    }

    /// Opens a stream that is not opened again when its connection is lost.
    func open<Element: WireMessage>(
        _ body: @Sendable (DaemonSession) -> MessageStream<Element>
    ) async throws(TillError) -> MessageStream<Element> {
        body(try await connector.session())
    }

    /// Changes a subscription by a call that is not retried.
    func change(
        _ method: SubscriptionActionRequest.Method,
        _ request: SubscriptionActionRequest
    ) async throws(TillError) -> SubscriptionStatus {
        try await connector.call(method, request, isRetried: false).status
    }
}

extension TillOperator {
    /// The transactions of all applications and accounts that pass the filter, the oldest first.
    public func transactions(matching filter: TransactionFilter = TransactionFilter()) -> PagedList<OperatorTransaction>
    {
        PagedList { [self] (token) async throws(TillError) in
            let request = FindTransactionsRequest(filter: filter, pageToken: token)
            let page = try await read(request)
            return (page.transactions, page.nextPageToken)
        }
    }

    /// The reason for a transaction's state, and the actions that are possible.
    ///
    /// - Throws: `notFound` if there is no such transaction.
    public func explanation(ofTransaction id: UUID) async throws(TillError) -> Explanation {
        try await read(ExplainRequest(transactionID: id))
    }

    /// Resolves an interrupted purchase, or states the outcome of an unknown charge.
    ///
    /// - Parameters:
    ///   - id: The transaction.
    ///   - review: The outcome of an unknown charge; nil for an interruption.
    ///   - reason: Why, for the audit log: 1 to 256 bytes.
    /// - Returns: The transaction after the change; for an interrupted purchase, the one that continues it.
    @discardableResult
    public func resolve(
        _ id: UUID,
        review: ReviewOutcome? = nil,
        because reason: String
    ) async throws(TillError) -> Transaction {
        try await change(ResolveRequest(transactionID: id, reason: reason, outcome: review)).transaction
    }

    /// Refunds a purchase or a part of it. Sending the same order again is harmless.
    ///
    /// - Returns: The refund, which the provider may not have made yet, and the transaction after the change.
    /// - Throws: `failedPrecondition` if the order exceeds the remaining purchase.
    @discardableResult
    public func refund(
        _ order: RefundOrder,
        because reason: String
    ) async throws(TillError) -> (refund: RefundSummary, transaction: Transaction) {
        let response = try await read(RefundRequest(order: order, reason: reason))
        return (response.refund, response.transaction)
    }

    /// Signs a transaction again from the ledger, for example after the signing keys were lost.
    ///
    /// - Throws: `failedPrecondition` for a transaction that is neither purchased nor restored.
    @discardableResult
    public func rebuildReceipt(of id: UUID, because reason: String) async throws(TillError) -> Transaction {
        try await change(RebuildReceiptRequest(transactionID: id, reason: reason)).transaction
    }

    /// Offers a payment to an application as a promoted purchase: its observers decide whether to add it.
    public func promote(
        _ payment: Payment,
        toApplication application: String,
        account: String,
        because reason: String
    ) async throws(TillError) {
        let request = PromoteRequest(application: application, account: account, payment: payment, reason: reason)
        _ = try await change(request)
    }
}
