package import TillModel

extension PaymentEngine {
    /// Transactions in one page of an operator's list.
    package static let findPageMaximum = 32

    /// A page of the transactions of all queues that pass the filter, the oldest first, and the token of the next page
    /// if there is more.
    ///
    /// - Parameters:
    ///   - token: What the page before returned; 0 for the first page.
    ///   - limit: 1 to ``findPageMaximum``.
    package func operatorTransactions(
        matching filter: TransactionFilter,
        token: UInt64,
        limit: Int
    ) async throws(TillError) -> (page: [OperatorTransaction], next: UInt64?) {
        guard (1...Self.findPageMaximum).contains(limit) else {
            throw TillError(.invalidArgument, "The page size must be 1 to \(Self.findPageMaximum).")
        }
        return try await read { ledger in
            let key = try ledger.key(ofToken: token) { try ledger.transaction(key: $0) != nil }
            let records = try ledger.transactions(matching: filter, afterKey: key, limit: limit)
            let (page, next) = PageWeight.page(of: records, limit: limit)
            return (try page.compactMap { try self.operatorTransaction($0, ledger) }, next)
        }
    }

    private func operatorTransaction(_ record: TransactionRecord, _ ledger: any LedgerReader) throws
        -> OperatorTransaction?
    {
        guard let name = try ledger.queue(key: record.queue)?.name else {
            return nil
        }
        return OperatorTransaction(
            application: name.application,
            account: name.account,
            transaction: record.transaction(identifiedBy: numbering),
            needsReview: try ledger.charge(forTransaction: record.key)?.state == .needsReview
                || Self.renewalInReview(after: record, ledger) != nil
        )
    }

    /// The charge for a renewal whose outcome is unknown; nil unless the transaction is its subscription's last period.
    static func renewalInReview(after record: TransactionRecord, _ ledger: any LedgerReader) throws -> ChargeRecord? {
        guard let key = record.term?.subscription, try ledger.subscription(key: key)?.latestKey == record.key else {
            return nil
        }
        return try ledger.chargeInReview(ofSubscription: key)
    }
}
