public import FoundationEssentials
public import TillModel
import TillWire

extension TillOperator {
    /// The transactions of all applications and accounts that pass the filter, the oldest first.
    public func transactions(matching filter: TransactionFilter = TransactionFilter()) -> PagedList<OperatorTransaction>
    {
        PagedList { [self] (token) async throws(TillError) in
            let request = FindTransactionsRequest(filter: filter, pageToken: token)
            let page: FindTransactionsResponse = try await read(.listTransactions, request)
            return (page.transactions, page.nextPageToken)
        }
    }

    /// Why a transaction is as it is, and what can be done about it.
    ///
    /// - Throws: `notFound` if there is no such transaction.
    public func explanation(ofTransaction id: UUID) async throws(TillError) -> Explanation {
        try await read(.explain, ExplainRequest(transactionID: id))
    }

    /// Resolves an interrupted purchase, or says what became of a charge that stayed unknown.
    ///
    /// - Parameter review: What was found out about an unknown charge; nil for an interruption.
    /// - Returns: The transaction after it; of an interrupted purchase, the one that continues it.
    @discardableResult
    public func resolve(
        _ id: UUID,
        review: ReviewOutcome? = nil,
        because reason: String
    ) async throws(TillError) -> Transaction {
        let request = ResolveRequest(transactionID: id, reason: reason, review: review)
        let response: ResolveResponse = try await change(.resolve, request)
        return response.transaction
    }

    /// Takes back a purchase or a part of it. The same order again is harmless.
    ///
    /// - Returns: The refund, which the provider may still have to carry out, and the transaction after it.
    /// - Throws: `failedPrecondition` for more than is left of the purchase.
    @discardableResult
    public func refund(
        _ order: RefundOrder,
        because reason: String
    ) async throws(TillError) -> (refund: RefundSummary, transaction: Transaction) {
        let response: RefundResponse = try await read(.refund, RefundRequest(order: order, reason: reason))
        return (response.refund, response.transaction)
    }

    /// Signs a transaction anew from what the ledger holds, as after the loss of the keys.
    ///
    /// - Throws: `failedPrecondition` for what is neither purchased nor restored.
    @discardableResult
    public func rebuildReceipt(of id: UUID, because reason: String) async throws(TillError) -> Transaction {
        let request = RebuildReceiptRequest(transactionID: id, reason: reason)
        let response: RebuildReceiptResponse = try await change(.rebuildReceipt, request)
        return response.transaction
    }

    /// Offers a payment to an application as a promoted purchase: its observers are asked whether to add it.
    public func promote(
        _ payment: Payment,
        toApplication application: String,
        account: String,
        because reason: String
    ) async throws(TillError) {
        let request = PromoteRequest(application: application, account: account, payment: payment, reason: reason)
        let _: PromoteResponse = try await change(.promote, request)
    }
}
